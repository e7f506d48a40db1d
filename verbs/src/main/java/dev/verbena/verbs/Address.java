package dev.verbena.verbs;

import java.lang.foreign.MemorySegment;
import java.util.List;

/// The address of a peer and the path to it: the address vector of a queue pair (IBA 11.2.2.1).
///
/// @param lid the peer's local identifier; unused on Ethernet
/// @param gid the peer's GID; [Gid#NONE] on InfiniBand means that packets carry no GRH
/// @param serviceLevel 0 to 15; on Ethernet the low three bits are the priority
/// @param trafficClass the IP or GRH traffic class: DSCP and ECN bits
/// @param flowLabel 20 bits; on RoCE v2 it also chooses the source port
/// @param hopLimit hop limit of packets with a GRH or an IP header
/// @param sourceGid index of the local port's GID that is the source of the packets
/// @param udpPort UDP port of a RoCE v2 peer; 4791 by standard
public record Address(
        int lid,
        Gid gid,
        int serviceLevel,
        int trafficClass,
        int flowLabel,
        int hopLimit,
        int sourceGid,
        int udpPort) {
    /// The destination port of RoCE v2.
    public static final int ROCE_PORT = 4791;

    private static final int DEFAULT_HOP_LIMIT = 64;

    /// The ECN bits: both are set where a switch saw congestion; the upper one alone means that the
    /// sender supports ECN.
    private static final int CONGESTED = 3;

    private static final int MAY_BE_MARKED = 2;

    public Address {
        Require.range("address", "lid", lid, 0, 0xFFFF);
        Require.range("address", "service level", serviceLevel, 0, 15);
        Require.range("address", "traffic class", trafficClass, 0, 255);
        Require.range("address", "flow label", flowLabel, 0, 0xF_FFFF);
        Require.range("address", "hop limit", hopLimit, 0, 255);
        Require.range("address", "source gid index", sourceGid, 0, 0xFFFF);
        Require.range("address", "udp port", udpPort, 1, 0xFFFF);
    }

    /// The address of an endpoint, with default values for all other fields.
    public static Address to(Endpoint peer) {
        return new Address(peer.lid(), peer.gid(), 0, 0, 0, DEFAULT_HOP_LIMIT, 0, peer.udpPort());
    }

    /// The address of a GID, with default values for all other fields. On Ethernet, a GID is an IP
    /// address.
    public static Address to(Gid peer) {
        return new Address(0, peer, 0, 0, 0, DEFAULT_HOP_LIMIT, 0, ROCE_PORT);
    }

    /// The same address with another GID; with [Gid#NONE], on InfiniBand, packets carry no GRH.
    public Address withGid(Gid value) {
        return new Address(
                lid, value, serviceLevel, trafficClass, flowLabel, hopLimit, sourceGid, udpPort);
    }

    /// The address of the sender of a received datagram, from its [DatagramHeader] and its
    /// completion.
    ///
    /// @param header memory of the receive request; its first byte is at `at`
    /// @param ours the GIDs of the local port, from [Device#gids]: the reply uses the GID that the
    ///   datagram was sent to, or the first one if it was sent to a multicast group
    public static Address replyTo(
            Completion datagram, MemorySegment header, long at, List<Gid> ours) {
        if (!datagram.hasGlobalHeader()) {
            return new Address(
                    datagram.sourceLid(),
                    Gid.NONE,
                    datagram.serviceLevel(),
                    0,
                    0,
                    DEFAULT_HOP_LIMIT,
                    0,
                    ROCE_PORT);
        }
        return new Address(
                datagram.sourceLid(),
                DatagramHeader.source(header, at),
                datagram.serviceLevel(),
                unmarked(DatagramHeader.trafficClass(header, at)),
                DatagramHeader.flowLabel(header, at),
                DEFAULT_HOP_LIMIT,
                Math.max(0, ours.indexOf(DatagramHeader.destination(header, at))),
                ROCE_PORT);
    }

    /// The traffic class of the sender, without a congestion mark, which belongs to the received
    /// packet only.
    private static int unmarked(int trafficClass) {
        return (trafficClass & CONGESTED) == CONGESTED
                ? (trafficClass & ~CONGESTED) | MAY_BE_MARKED
                : trafficClass;
    }

    /// The address of all members of a multicast group.
    ///
    /// @param lid the group's LID on InfiniBand, 0xC000 to 0xFFFE; 0 on Ethernet
    public static Address multicast(Gid group, int lid) {
        if (!group.isMulticast()) {
            throw new InvalidRequestException(
                    "address", group + " is not a multicast group", "use ff00::/8 or 224.0.0.0/4");
        }
        return new Address(lid, group, 0, 0, 0, DEFAULT_HOP_LIMIT, 0, ROCE_PORT);
    }

    public Address withServiceLevel(int level) {
        return new Address(lid, gid, level, trafficClass, flowLabel, hopLimit, sourceGid, udpPort);
    }

    public Address withTrafficClass(int value) {
        return new Address(lid, gid, serviceLevel, value, flowLabel, hopLimit, sourceGid, udpPort);
    }

    /// The same address with another UDP port of the RoCE v2 peer.
    public Address withUdpPort(int port) {
        return new Address(
                lid, gid, serviceLevel, trafficClass, flowLabel, hopLimit, sourceGid, port);
    }

    public Address withFlowLabel(int label) {
        return new Address(
                lid, gid, serviceLevel, trafficClass, label, hopLimit, sourceGid, udpPort);
    }
}
