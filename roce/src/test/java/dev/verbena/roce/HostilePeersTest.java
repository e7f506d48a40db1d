package dev.verbena.roce;

import dev.verbena.conformance.hostile.HostilePeers;
import dev.verbena.conformance.hostile.PeerFate;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Peers in other processes that misbehave, run out of memory or files, and are killed.
@Tag("long")
@Tag("peers")
class HostilePeersTest {
    private static final long PROCESSES = 8;

    @Test
    @Timeout(value = 2, unit = TimeUnit.HOURS)
    void leaveNothingBehindWhateverBecomesOfThem() throws IOException, InterruptedException {
        try (Device device = Devices.open("roce://" + TestAddresses.ipv4())) {
            new HostilePeers(device, HostilePeersTest::java)
                    .run("roce://" + TestAddresses.ipv4(), PROCESSES);
        }
    }

    private static List<String> java(PeerFate fate) {
        List<String> command = new ArrayList<>();
        if (fate == PeerFate.OUT_OF_FILES) {
            command.addAll(List.of("sh", "-c", "ulimit -n 120; exec \"$@\"", "sh"));
        }
        command.addAll(
                List.of(
                        ProcessHandle.current().info().command().orElse("java"),
                        fate == PeerFate.OUT_OF_MEMORY ? "-Xmx24m" : "-Xmx64m",
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        TransferCheckProcess.classPath()));
        return command;
    }
}
