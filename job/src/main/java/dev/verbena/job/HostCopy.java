package dev.verbena.job;

import dev.verbena.collectives.run.LocalWork;

/// What GPUDirect saves: a message between hosts is copied to the memory of the host before a NIC
/// can read it, and out of it after it has arrived.
///
/// A copy takes its bytes at the bandwidth, one copy after the other, and the latency on top. There
/// is one path in each direction, which neighbouring ranks share, as GPUs behind one PCIe switch
/// do. A message is sent when it has been copied as a whole.
///
/// @param bytesPerSecond of a path, in each direction
/// @param latencyNs of a copy, beside its bytes
/// @param ranks that share a path
public record HostCopy(double bytesPerSecond, long latencyNs, int ranks) {
    /// Assumed: two GPUs behind one PCIe switch, with 16 lanes of PCIe 5.
    public static final HostCopy USUAL = new HostCopy(50e9, 1000, 2);

    /// The network between hosts, see [dev.verbena.collectives.link.Links#network].
    private static final int OUTER = 0;

    private static final long LATENCY_MAX_NS = 1_000_000_000;

    public HostCopy {
        if (!(bytesPerSecond >= 1e6 && bytesPerSecond <= 10e12)) {
            throw new IllegalArgumentException(
                    "copies of %.0f bytes per second: use 1 MB/s to 10 TB/s"
                            .formatted(bytesPerSecond));
        }
        if (latencyNs < 0 || latencyNs > LATENCY_MAX_NS || ranks < 1) {
            throw new IllegalArgumentException(
                    "copies of %,d ns, shared by %d ranks: use 0 to a second, and 1 rank or more"
                            .formatted(latencyNs, ranks));
        }
    }

    /// Nanoseconds that a path is busy with a message.
    double busyNs(long bytes) {
        return bytes * 1e9 / bytesPerSecond;
    }

    Path path() {
        return new Path(this);
    }

    /// One direction of a path, and when it is free.
    static final class Path {
        private final HostCopy copy;
        private double freeNs;

        private Path(HostCopy copy) {
            this.copy = copy;
        }

        /// When a message has been copied that is there now.
        long copiedNs(long nowNs, long bytes) {
            freeNs = Math.max(freeNs, (double) nowNs) + copy.busyNs(bytes);
            return (long) Math.ceil(freeNs) + copy.latencyNs;
        }
    }

    /// The work of a rank with its copies.
    record Work(LocalWork own, Path out, Path in) implements LocalWork {
        @Override
        public long sendNs(long bytes) {
            return own.sendNs(bytes);
        }

        @Override
        public long receiveNs(long bytes, boolean combines) {
            return own.receiveNs(bytes, combines);
        }

        @Override
        public long copiedOutNs(long nowNs, long bytes, int network) {
            return network == OUTER ? out.copiedNs(nowNs, bytes) : nowNs;
        }

        @Override
        public long copiedInNs(long nowNs, long bytes, int network) {
            return network == OUTER ? in.copiedNs(nowNs, bytes) : nowNs;
        }
    }
}
