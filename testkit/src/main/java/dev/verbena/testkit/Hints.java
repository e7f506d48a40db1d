package dev.verbena.testkit;

import dev.verbena.verbs.Device;
import dev.verbena.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Why a test may have waited in vain, as the counters of its devices tell it.
public final class Hints {
    private Hints() {}

    /// One clause for each thing that a device has counted, each after "; ". Empty when the
    /// counters show nothing, or the device is closed.
    public static String of(Device device) {
        Map<String, Long> counters;
        try {
            counters = device.counters();
        } catch (VerbsException closed) {
            return "";
        }
        List<String> found = new ArrayList<>();
        note(
                found,
                counters.get("rcvd_rnr_err"),
                "peers of %s sent it %,d RNR NAKs: no receive is posted there",
                device);
        note(
                found,
                counters.get("out_of_buffer"),
                "%s sent %,d RNR NAKs: no receive is posted on it",
                device);
        note(
                found,
                counters.get("local_ack_timeout_err"),
                "%s had %,d time-outs: a peer did not answer",
                device);
        return found.isEmpty() ? "" : "; " + String.join("; ", found);
    }

    private static void note(List<String> found, @Nullable Long count, String what, Device device) {
        if (count != null && count > 0) {
            found.add(what.formatted(device.name(), count));
        }
    }
}
