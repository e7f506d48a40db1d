package dev.verbena.cli;

import dev.verbena.fabric.CableFault;
import dev.verbena.fabric.FaultText;
import dev.verbena.fabric.MixRun;
import dev.verbena.fabric.Topology;
import dev.verbena.fabric.WatchdogSettings;
import dev.verbena.fabric.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The flags of `verbena sim` for workloads beside each other, faults of cables, and the picture.
final class SimMixFlags {
    private static final Pattern WATCHDOG =
            Pattern.compile("(drop|forward|alert)(?::(\\d{1,5})/(\\d{1,5}))?");
    private static final int USUAL_MS = 200;

    @Option(
            names = "--workload",
            paramLabel = "NAME:KEY=VALUE,...",
            description =
                    "A workload beside others: pattern=, or from= and to= for one flow; size=, "
                            + "senders=, by=; class= (0 to 7), start= and until= in us: with "
                            + "until, messages repeat; protocol=rdma or tcp.")
    private List<String> workloads = List.of();

    @Option(
            names = "--fault",
            paramLabel = "WHERE=WHAT[@FROM-UNTIL]",
            description =
                    "A fault of cables, with times in us. WHERE: leaf-0:33, host-0, hosts, "
                            + "uplinks, all, a-host or an-uplink (the seed chooses). WHAT: "
                            + "loss:0.001, loss-out:0.001 or loss-in:0.001 (one way, of the named"
                            + " port), ber:1e-4 (before KP4's correction), blackhole, slow (a "
                            + "quarter of the rate) or slow:0.5, down, flap:20/80 (us down, us up);"
                            + " of a host storm:0 (pauses a priority) and slow-receiver:0.5. A"
                            + " switch, as leaf-0, stands for all its cables.")
    private List<String> faults = List.of();

    @Option(
            names = "--watchdog",
            paramLabel = "ACTION[:DETECT/RESTORE]",
            description =
                    "roce: watches for pause storms by SONiC's rules; drop, forward or alert, and"
                            + " times in ms (200/200). It looks every 200 ms, or as often as the"
                            + " shorter time.")
    private @Nullable String watchdog;

    @Option(
            names = "--picture",
            paramLabel = "FILE",
            description = "Draws rates and the busiest link over time, as SVG.")
    private @Nullable Path picture;

    List<Workload> workloads(int hosts, long seed) {
        List<Workload> read = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (int i = 0; i < workloads.size(); i++) {
            Workload each = SimWorkloads.parse(workloads.get(i), hosts, seed + i);
            if (!names.add(each.name())) {
                throw new IllegalArgumentException(
                        "--workload %s: two have this name".formatted(each.name()));
            }
            read.add(each);
        }
        return read;
    }

    List<CableFault> faults(Topology topology, long seed) {
        return faults.stream()
                .flatMap(text -> FaultText.parse(text, topology, seed).stream())
                .toList();
    }

    /// The watchdog, if there is one.
    Optional<WatchdogSettings> watchdog() {
        if (watchdog == null) {
            return Optional.empty();
        }
        Matcher read = WATCHDOG.matcher(watchdog);
        if (!read.matches()) {
            throw new IllegalArgumentException(
                    "--watchdog %s: write it as drop, forward or alert, or as drop:200/200"
                            .formatted(watchdog));
        }
        int detect = read.group(2) == null ? USUAL_MS : Integer.parseInt(read.group(2));
        int restore = read.group(3) == null ? USUAL_MS : Integer.parseInt(read.group(3));
        int poll = Math.min(USUAL_MS, Math.min(detect, restore));
        WatchdogSettings.Action action =
                WatchdogSettings.Action.valueOf(read.group(1).toUpperCase(Locale.ROOT));
        return Optional.of(WatchdogSettings.ofMillis(detect, restore, poll, action));
    }

    /// As they were given.
    List<String> faultTexts() {
        return faults;
    }

    void draw(String title, MixRun run, SimResult result, List<CableFault> known)
            throws IOException {
        if (picture == null) {
            return;
        }
        List<String> names = run.workloads().stream().map(Workload::name).toList();
        Files.writeString(picture, result.bottleneck().picture(title, names, known));
    }
}
