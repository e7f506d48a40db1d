package dev.verbena.subnet.state;

/// What all members of a multicast group share.
///
/// @param mtu as PortInfo has it: 1 to 5 for 256 to 4096 bytes
/// @param rate a code of IBA 15.2.5.16
/// @param lifeTime of packets: 4.096 microseconds times two to this power
public record GroupTraits(
        int qkey,
        int mtu,
        int trafficClass,
        int pkey,
        int rate,
        int lifeTime,
        int serviceLevel,
        int flowLabel,
        int hopLimit,
        int scope) {}
