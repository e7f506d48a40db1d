package dev.verbena.subnet.state;

import java.util.List;
import java.util.Optional;

/// A partition of a file: a key and its members.
///
/// @param key 15 bits
/// @param broadcast what its group for IP broadcasts is to be, if it has one
public record Partition(
        String name, int key, Optional<GroupTraits> broadcast, List<Member> members) {
    private static final int FULL_BIT = 0x8000;

    /// Which ports a line of members means.
    public enum Who {
        GUID,
        ALL,
        ALL_CAS,
        ALL_SWITCHES,
        ALL_ROUTERS,
        SELF
    }

    /// How a port is a member. Limited members talk to full ones only; `BOTH` has a key for each.
    public enum Level {
        FULL,
        LIMITED,
        BOTH
    }

    /// One of a line of members.
    ///
    /// @param guid of [Who#GUID]
    public record Member(Who who, long guid, Level level) {
        boolean means(Port port) {
            return switch (who) {
                case GUID -> guid == port.guid();
                case ALL -> true;
                case ALL_CAS -> port.kind() == Who.ALL_CAS;
                case ALL_SWITCHES -> port.kind() == Who.ALL_SWITCHES;
                case ALL_ROUTERS -> port.kind() == Who.ALL_ROUTERS;
                case SELF -> port.isSelf();
            };
        }
    }

    /// A port that may be a member.
    ///
    /// @param kind of its node: one of the three that begin with `ALL_`
    /// @param isSelf whether it is the manager's
    public record Port(long guid, Who kind, boolean isSelf) {}

    /// The keys that a port has by this partition: none, one, or with `BOTH` two. A full member by
    /// one line stays one, whatever other lines say.
    List<Integer> keys(Port port) {
        boolean isFull = false;
        boolean isLimited = false;
        boolean isBoth = false;
        for (Member member : members) {
            if (member.means(port)) {
                isFull |= member.level() == Level.FULL;
                isLimited |= member.level() == Level.LIMITED;
                isBoth |= member.level() == Level.BOTH;
            }
        }
        if (isBoth) {
            return List.of(key | FULL_BIT, key);
        }
        if (isFull) {
            return List.of(key | FULL_BIT);
        }
        return isLimited ? List.of(key) : List.of();
    }
}
