package dev.verbena.transport.carrier;

import dev.verbena.verbs.Address;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.PortAttributes;
import dev.verbena.verbs.PortState;
import java.util.List;

/// What a port has been given: by its carrier when the device is made, and on InfiniBand by a
/// subnet manager later. A value; [dev.verbena.transport.TransportDevice#changePort] puts another
/// one in force.
///
/// @param lidMask how many low bits of a LID do not matter to the port (LMC), which then takes
///   packets to 2^`lidMask` LIDs. Its own packets leave from the first, so that datagrams may go to
///   any, and connections to the first
/// @param gids by index; a program names one of them as its source
/// @param partitionKeys by index; 0 is an empty entry
/// @param udpPort the UDP port that endpoints name
public record PortSettings(
        PortAttributes attributes,
        int lidMask,
        List<Gid> gids,
        List<Integer> partitionKeys,
        int udpPort) {
    /// An active Ethernet port without an address.
    public static final PortSettings DEFAULT =
            new PortSettings(
                    new PortAttributes(1, PortState.ACTIVE, LinkLayer.ETHERNET, 0, 4096, 4096, 0),
                    0,
                    List.of(Gid.NONE),
                    List.of(0xFFFF),
                    Address.ROCE_PORT);

    /// The highest LID of a single port (IBA 4.1.3), and the most bits of a mask (IBA 14.2.5.6).
    private static final int LID_MAX = 0xBFFF;

    private static final int MASK_MAX = 7;

    // One byte and two bytes number them in management datagrams.
    private static final int GIDS_MAX = 256;
    private static final int KEYS_MAX = 0xFFFF;

    public PortSettings {
        gids = List.copyOf(gids);
        partitionKeys = List.copyOf(partitionKeys);
        require("lid", attributes.lid(), 0, LID_MAX);
        require("bits of the lid mask", lidMask, 0, MASK_MAX);
        if ((attributes.lid() & ((1 << lidMask) - 1)) != 0) {
            throw new InvalidRequestException(
                    "port 1",
                    "lid " + attributes.lid() + " does not end in " + lidMask + " bits of zero",
                    "use " + (attributes.lid() >>> lidMask << lidMask) + ", or a smaller mask");
        }
        require("gids", gids.size(), 1, GIDS_MAX);
        require("partition keys", partitionKeys.size(), 1, KEYS_MAX);
        for (int key : partitionKeys) {
            require("partition key", key, 0, 0xFFFF);
        }
        require("udp port", udpPort, 1, 0xFFFF);
    }

    private static void require(String what, int value, int least, int most) {
        if (value < least || value > most) {
            throw new InvalidRequestException(
                    "port 1", what + ": " + value, "use " + least + " to " + most);
        }
    }

    /// With other attributes; a LID among them is the only one.
    public PortSettings withAttributes(PortAttributes next) {
        int mask = next.lid() == attributes.lid() ? lidMask : 0;
        return new PortSettings(next, mask, gids, partitionKeys, udpPort);
    }

    public PortSettings withState(PortState next) {
        return withAttributes(changed(next, attributes.lid()));
    }

    /// With the LIDs that agree with this one but for `mask` low bits.
    public PortSettings withLid(int lid, int mask) {
        PortAttributes next = changed(attributes.state(), lid);
        return new PortSettings(next, mask, gids, partitionKeys, udpPort);
    }

    private PortAttributes changed(PortState state, int lid) {
        return new PortAttributes(
                attributes.number(),
                state,
                attributes.linkLayer(),
                lid,
                attributes.maxMtu(),
                attributes.activeMtu(),
                attributes.bitsPerSecond());
    }

    public PortSettings withGids(List<Gid> next) {
        return new PortSettings(attributes, lidMask, next, partitionKeys, udpPort);
    }

    /// With the same GUIDs in another subnet.
    public PortSettings withSubnetPrefix(long prefix) {
        return withGids(gids.stream().map(it -> new Gid(prefix, it.low())).toList());
    }

    /// With other GUIDs in the same subnet.
    public PortSettings withGuids(List<Long> guids) {
        long prefix = gids.getFirst().high();
        return withGids(guids.stream().map(it -> new Gid(prefix, it)).toList());
    }

    /// On InfiniBand the second half of each GID.
    public List<Long> guids() {
        return gids.stream().map(Gid::low).toList();
    }

    public PortSettings withPartitionKeys(List<Integer> next) {
        return new PortSettings(attributes, lidMask, gids, next, udpPort);
    }

    public PortSettings withUdpPort(int next) {
        return new PortSettings(attributes, lidMask, gids, partitionKeys, next);
    }

    /// Whether packets of programs may pass; in other states only those of the subnet manager do
    /// (IBA 7.2.7).
    public boolean isActive() {
        return attributes.state() == PortState.ACTIVE;
    }

    /// Whether a LID is one of its own.
    public boolean hasLid(int lid) {
        return lid >>> lidMask == attributes.lid() >>> lidMask;
    }

    /// The GID of an index; none where the table has become shorter.
    public Gid gid(int index) {
        return index < gids.size() ? gids.get(index) : Gid.NONE;
    }

    /// The partition key of an index; none where the table has become shorter.
    public int partitionKey(int index) {
        return index < partitionKeys.size() ? partitionKeys.get(index) : 0;
    }
}
