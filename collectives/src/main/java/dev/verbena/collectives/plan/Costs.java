package dev.verbena.collectives.plan;

/// What messages cost in a network: the constants of a [CostModel].
///
/// The named ones are assumed, not measured. They put algorithms into an order; times that must be
/// right need measured constants.
///
/// @param latencyNs from the begin of an empty message to its arrival
/// @param messageNs what each message costs its sender and receiver beside its bytes
/// @param bytesPerSecond of one rank's link to other hosts
/// @param innerLatencyNs the latency within a host
/// @param innerBytesPerSecond of one rank's link within its host
/// @param reducedBytesPerSecond how fast a rank combines what arrives
public record Costs(
        double latencyNs,
        double messageNs,
        double bytesPerSecond,
        double innerLatencyNs,
        double innerBytesPerSecond,
        double reducedBytesPerSecond) {

    public Costs {
        requirePositive("latencyNs", latencyNs);
        requirePositive("messageNs", messageNs);
        requirePositive("bytesPerSecond", bytesPerSecond);
        requirePositive("innerLatencyNs", innerLatencyNs);
        requirePositive("innerBytesPerSecond", innerBytesPerSecond);
        requirePositive("reducedBytesPerSecond", reducedBytesPerSecond);
    }

    /// Assumed: InfiniBand of this rate, with a fast link between the GPUs of a host.
    public static Costs infiniband(double gigabitsPerSecond) {
        return new Costs(2_000, 200, gigabitsPerSecond * 0.97e9 / 8, 1_500, 200e9, 400e9);
    }

    /// Assumed: RoCE of this rate, with a fast link between the GPUs of a host.
    public static Costs roce(double gigabitsPerSecond) {
        return new Costs(3_500, 200, gigabitsPerSecond * 0.94e9 / 8, 1_500, 200e9, 400e9);
    }

    /// Assumed: RDMA over sockets of the kernel, hosts with 10 Gbit/s.
    public static Costs sockets() {
        return new Costs(40_000, 8_000, 1e9, 20_000, 2e9, 4e9);
    }

    /// Assumed: ranks of one process.
    public static Costs inMemory() {
        return new Costs(1_000, 500, 5e9, 1_000, 5e9, 8e9);
    }

    private static void requirePositive(String name, double value) {
        if (!(value > 0)) {
            throw new IllegalArgumentException(name + " " + value + ": must be above 0");
        }
    }
}
