package dev.verbena.subnet.state;

import dev.verbena.wire.Gid;
import java.util.Map;

/// A multicast group and its members.
///
/// @param isPermanent whether a file of partitions asks for it; it stays without members
/// @param members by port GID, what they have joined for
public record Group(
        Gid gid, int lid, GroupTraits traits, boolean isPermanent, Map<Gid, Membership> members) {
    /// Bits of a join state (IBA 15.2.5.17).
    public static final int FULL = 1;

    public static final int NON_MEMBER = 2;
    public static final int SEND_ONLY = 4;
    public static final int SEND_ONLY_FULL = 8;

    /// The first multicast LID.
    public static final int FIRST_LID = 0xC000;

    /// Multicast LIDs that there are (IBA 4.1.3).
    public static final int COUNT_MAX = 0x3FFF;

    /// What a port is in a group.
    ///
    /// @param joinState bits
    /// @param isProxy whether another port has joined for this one
    public record Membership(int joinState, boolean isProxy) {
        /// Whether packets of the group go to this port.
        public boolean receives() {
            return (joinState & (FULL | NON_MEMBER)) != 0;
        }
    }

    boolean hasFullMember() {
        int keeps = FULL | SEND_ONLY_FULL;
        return members.values().stream().anyMatch(it -> (it.joinState & keeps) != 0);
    }
}
