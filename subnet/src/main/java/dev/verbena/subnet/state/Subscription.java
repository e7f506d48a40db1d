package dev.verbena.subnet.state;

import dev.verbena.wire.Gid;

/// A wish for notices, as InformInfo has it.
///
/// @param subscriber the port that gets them, at a LID and a queue pair
/// @param about the port that they are about; zero: those of a range of LIDs
/// @param lidBegin 0xFFFF: all LIDs
/// @param isGeneric whether notices with a trap number are meant, not those of makers
/// @param type of notices; 0xFFFF: all
/// @param trapNumber 0xFFFF: all; of makers' notices, the device
/// @param producerType 0xFFFFFF: all; of makers' notices, the maker
public record Subscription(
        Gid subscriber,
        int lid,
        int queuePair,
        Gid about,
        int lidBegin,
        int lidEnd,
        boolean isGeneric,
        int type,
        int trapNumber,
        int producerType) {
    public static final int ALL = 0xFFFF;
    public static final int ALL_PRODUCERS = 0xFF_FFFF;

    /// Whether it asks for a notice.
    ///
    /// @param subject the port or group that the notice is about
    public boolean wants(NoticeHead notice, Gid subject) {
        boolean isRight =
                isGeneric == notice.isGeneric()
                        && (type == ALL || type == notice.type())
                        && (trapNumber == ALL || trapNumber == notice.number())
                        && (producerType == ALL_PRODUCERS || producerType == notice.producer());
        if (!isRight) {
            return false;
        }
        if (!about.isZero()) {
            return about.equals(subject);
        }
        return lidBegin == ALL || (notice.lid() >= lidBegin && notice.lid() <= lidEnd);
    }

    /// What a notice says of itself.
    public record NoticeHead(boolean isGeneric, int type, int producer, int number, int lid) {}
}
