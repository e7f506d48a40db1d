package dev.verbena.fabric.manage;

/// Settings of the agents.
///
/// @param linearCap entries of a switch's linear forwarding table
/// @param multicastCap entries of its multicast table
/// @param partitionCap entries of a port's partition table
/// @param trapRepeats how often a trap is sent again that no manager acknowledges
public record SubnetSettings(int linearCap, int multicastCap, int partitionCap, int trapRepeats) {
    public static final SubnetSettings DEFAULT =
            new SubnetSettings(Subnet.UNICAST_MAX + 1, 1024, 32, 10);

    public SubnetSettings {
        require("entries of the linear table", linearCap, 1, Subnet.UNICAST_MAX + 1);
        require("entries of the multicast table", multicastCap, 0, 1 << 14);
        require("entries of the partition table", partitionCap, 1, 1 << 12);
        require("repeats of a trap", trapRepeats, 0, 1000);
    }

    private static void require(String what, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    "%s: %d: use %d to %d".formatted(what, value, least, most));
        }
    }
}
