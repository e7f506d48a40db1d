package dev.verbena.cli;

import dev.verbena.collectives.plan.Algorithm;
import dev.verbena.collectives.plan.Plans;
import dev.verbena.fabric.Rails;
import dev.verbena.fabric.Topology;
import dev.verbena.job.HostCopy;
import dev.verbena.job.InnerLink;
import dev.verbena.job.JobLayout;
import dev.verbena.job.NcclOperation;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The flags of `verbena coll` that say what simulated hosts are: how many ranks and NICs each has,
/// and what joins them.
final class CollHosts {
    @Option(
            names = "--gpus",
            paramLabel = "N",
            description = "Ranks of each host, joined by an inner link (1).")
    int gpus = 1;

    @Option(
            names = "--nics",
            paramLabel = "N",
            description = "NICs of each host; rank r has NIC r * nics / gpus (as --gpus).")
    private @Nullable Integer nics;

    @Option(
            names = "--rails",
            description = "NICs of the same number share leaves, and spines join all leaves.")
    private boolean rails;

    @Option(
            names = "--planes",
            description =
                    "The same without common spines: NICs of different numbers do not reach each"
                            + " other, and the algorithm is hierarchical.")
    private boolean planes;

    @Option(
            names = "--inner",
            paramLabel = "RATE",
            converter = ByteRate.class,
            description = "Rate at which a rank sends within its host (450GB/s; assumed).")
    private double innerRate = InnerLink.USUAL.bytesPerSecond();

    @Option(
            names = "--inner-latency",
            paramLabel = "TIME",
            converter = ShortTime.class,
            description = "From rank to rank within a host (500ns; assumed).")
    private long innerNs = InnerLink.USUAL.latencyNs();

    @Option(
            names = "--no-gpudirect",
            description = "Messages between hosts are copied through the memory of the host.")
    private boolean isCopied;

    @Option(
            names = "--copy",
            paramLabel = "RATE",
            converter = ByteRate.class,
            description = "Bandwidth of such copies, in each direction (50GB/s; assumed).")
    private double copyRate = HostCopy.USUAL.bytesPerSecond();

    @Option(
            names = "--copy-latency",
            paramLabel = "TIME",
            converter = ShortTime.class,
            description = "Time of a copy beside that of its bytes (1us; assumed).")
    private long copyNs = HostCopy.USUAL.latencyNs();

    @Option(
            names = "--copy-gpus",
            paramLabel = "N",
            description = "Neighbouring ranks that share the bandwidth of copies (2).")
    private int copyRanks = HostCopy.USUAL.ranks();

    private int nics() {
        return nics == null ? gpus : nics;
    }

    /// The network between hosts.
    Topology between(SimFlags flags) throws IOException {
        int each = nics();
        if (gpus < 1 || each < 1 || each > gpus) {
            throw new UsageException(
                    "--gpus %d --nics %d: use 1 or more, and no more NICs than GPUs"
                            .formatted(gpus, each));
        }
        if (!rails && !planes) {
            flags.hosts = Math.multiplyExact(flags.hosts, each);
            return flags.topology();
        }
        if (flags.file != null || flags.chain > 0 || flags.tiers != null || rails == planes) {
            throw new UsageException(
                    "--rails and --planes are topologies themselves: use one of them, without"
                            + " --topology, --chain and --tiers");
        }
        Rails shape = Rails.ofRadix(flags.hosts, each, flags.radix, planes);
        return flags.cables.between(shape.topology());
    }

    /// Where the ranks are on that network.
    JobLayout layout(Topology between) {
        InnerLink inner = gpus > 1 ? new InnerLink(innerRate, innerNs) : null;
        HostCopy copy = isCopied ? new HostCopy(copyRate, copyNs, copyRanks) : null;
        return new JobLayout(between.hosts() / nics(), gpus, nics(), inner, copy);
    }

    /// On planes, what knows no hosts would wait for peers that it cannot reach.
    void choose(NcclOperation operation, JobLayout layout, CollFlags flags) {
        if (!planes || layout.nicsPerHost() == 1 || layout.hosts() == 1) {
            return;
        }
        Algorithm wanted = flags.algorithm();
        boolean isOther = wanted != null && wanted != Algorithm.HIERARCHICAL;
        boolean isCarriedOut = Plans.supports(operation.collective(), Algorithm.HIERARCHICAL);
        if (isOther || flags.all || !isCarriedOut) {
            throw new UsageException(
                    "--planes: NICs of different numbers do not reach each other: use all_reduce,"
                            + " reduce_scatter or all_gather with --algorithm hierarchical, or"
                            + " --rails");
        }
        flags.algorithm = Algorithm.HIERARCHICAL.toString();
    }
}
