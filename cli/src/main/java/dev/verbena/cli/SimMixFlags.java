package dev.verbena.cli;

import dev.verbena.fabric.CableFault;
import dev.verbena.fabric.FaultText;
import dev.verbena.fabric.MixRun;
import dev.verbena.fabric.Topology;
import dev.verbena.fabric.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The flags of `verbena sim` for workloads beside each other, faults of cables, and the picture.
final class SimMixFlags {
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
                            + "loss:0.001, slow (a quarter of the rate) or slow:0.5, down, "
                            + "flap:20/80 (us down, us up).")
    private List<String> faults = List.of();

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
