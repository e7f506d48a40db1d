package dev.verbena.job;

import dev.verbena.collectives.plan.Costs;
import dev.verbena.fabric.FabricSettings;
import dev.verbena.fabric.InnerNetwork;
import dev.verbena.fabric.Topology;
import org.jspecify.annotations.Nullable;

/// Where the ranks of a job are: hosts with as many ranks each, NICs which ranks may share, and
/// what joins the ranks of a host.
///
/// Ranks of a host are neighbours. The hosts of the topology are the NICs: first those of host 0.
///
/// @param nicsPerHost rank r of a host has the NIC `r * nicsPerHost / ranksPerHost`
/// @param inner null where a host has one rank
/// @param copy null where NICs read and write the memory of ranks: GPUDirect
public record JobLayout(
        int hosts,
        int ranksPerHost,
        int nicsPerHost,
        @Nullable InnerLink inner,
        @Nullable HostCopy copy) {
    private static final int RANKS_MAX = 1 << 16;

    public JobLayout {
        if (hosts < 1 || ranksPerHost < 1 || (long) hosts * ranksPerHost > RANKS_MAX) {
            throw new IllegalArgumentException(
                    "%,d hosts of %,d ranks: use 1 of each or more, and at most %,d ranks in all"
                            .formatted(hosts, ranksPerHost, RANKS_MAX));
        }
        if (nicsPerHost < 1 || nicsPerHost > ranksPerHost) {
            throw new IllegalArgumentException(
                    "%d NICs for %d ranks of a host: use 1 to %d"
                            .formatted(nicsPerHost, ranksPerHost, ranksPerHost));
        }
        if ((inner != null) != (ranksPerHost > 1)) {
            throw new IllegalArgumentException(
                    "%d ranks of a host: two and more need an inner link, and one has none"
                            .formatted(ranksPerHost));
        }
    }

    /// A rank on each host, with a NIC of its own.
    public static JobLayout flat(int hosts) {
        return new JobLayout(hosts, 1, 1, null, null);
    }

    /// Hosts with a NIC for each rank and the usual inner link.
    public static JobLayout of(int hosts, int ranksPerHost) {
        InnerLink inner = ranksPerHost > 1 ? InnerLink.USUAL : null;
        return new JobLayout(hosts, ranksPerHost, ranksPerHost, inner, null);
    }

    public JobLayout withNics(int perHost) {
        return new JobLayout(hosts, ranksPerHost, perHost, inner, copy);
    }

    public JobLayout withInner(InnerLink value) {
        return new JobLayout(hosts, ranksPerHost, nicsPerHost, value, copy);
    }

    /// Without GPUDirect.
    public JobLayout withCopy(HostCopy value) {
        return new JobLayout(hosts, ranksPerHost, nicsPerHost, inner, value);
    }

    public int ranks() {
        return hosts * ranksPerHost;
    }

    public int nics() {
        return hosts * nicsPerHost;
    }

    /// The host of a rank.
    public int hostOf(int rank) {
        return rank / ranksPerHost;
    }

    /// The host of the topology that is the NIC of a rank.
    public int nicOf(int rank) {
        return hostOf(rank) * nicsPerHost + rank % ranksPerHost * nicsPerHost / ranksPerHost;
    }

    /// The host of the topology that is the port of a rank within its host.
    public int innerPortOf(int rank, Topology topology) {
        return topology.hosts() - ranks() + rank;
    }

    /// The fabric of a job: the network between its NICs, with what joins the ranks of each host.
    public Topology topology(Topology between, FabricSettings settings) {
        require(between, between.hosts());
        if (inner == null) {
            return between;
        }
        return new InnerNetwork(hosts, ranksPerHost, inner.rate(settings), inner.latencyNs() * 1000)
                .beside(between);
    }

    /// Whether a topology has all NICs and ports.
    public void check(Topology topology) {
        require(topology, topology.hosts() - (inner == null ? 0 : ranks()));
    }

    private void require(Topology topology, int found) {
        if (found < nics()) {
            throw new IllegalArgumentException(
                    "%s: there are %,d NICs for %,d hosts with %d each: use a larger fabric"
                            .formatted(topology, found, hosts, nicsPerHost));
        }
    }

    /// What the estimates of algorithms need, from that of one rank with a NIC of its own.
    public Costs costs(Costs alone) {
        InnerLink link = inner;
        double outer = alone.bytesPerSecond() * nicsPerHost / ranksPerHost;
        double latencyNs = alone.latencyNs();
        if (copy != null) {
            // The message, and a copy before and after it, one after the other.
            double path = copy.bytesPerSecond() / Math.min(copy.ranks(), ranksPerHost);
            outer = 1 / (1 / outer + 2 / path);
            latencyNs += 2.0 * copy.latencyNs();
        }
        return new Costs(
                latencyNs,
                alone.messageNs(),
                outer,
                link == null ? alone.innerLatencyNs() : Math.max(1, link.latencyNs()),
                link == null ? alone.innerBytesPerSecond() : link.bytesPerSecond(),
                alone.reducedBytesPerSecond());
    }

    @Override
    public String toString() {
        String each =
                ranksPerHost == 1
                        ? "%,d hosts with a rank each".formatted(hosts)
                        : "%,d hosts with %d ranks and %d NIC%s each"
                                .formatted(
                                        hosts,
                                        ranksPerHost,
                                        nicsPerHost,
                                        nicsPerHost == 1 ? "" : "s");
        String within =
                inner == null
                        ? ""
                        : ", inner link %.4g GB/s and %,d ns"
                                .formatted(inner.bytesPerSecond() / 1e9, inner.latencyNs());
        String copied =
                copy == null
                        ? ""
                        : ", copies through host memory at %.4g GB/s and %,d ns, %d rank%s a path"
                                .formatted(
                                        copy.bytesPerSecond() / 1e9,
                                        copy.latencyNs(),
                                        copy.ranks(),
                                        copy.ranks() == 1 ? "" : "s");
        return each + within + copied;
    }
}
