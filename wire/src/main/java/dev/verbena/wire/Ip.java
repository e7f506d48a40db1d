package dev.verbena.wire;

import java.lang.foreign.MemorySegment;

/// The network header of RoCE v2.
public sealed interface Ip permits Ipv4, Ipv6 {
    /// IP protocol number of UDP.
    int UDP = 17;

    int length();

    /// Type of service or traffic class: DSCP in bits 7-2, ECN in bits 1-0.
    int trafficClass();

    /// The address as a GID: IPv4 addresses in their mapped form.
    Gid sourceGid();

    Gid destinationGid();

    void emit(MemorySegment segment, long at);

    /// The same header around a payload of another length, its checksum made right.
    Ip sized(int payloadBytes);
}
