package dev.verbena.subnet;

import dev.verbena.wire.Gid;
import dev.verbena.wire.mad.Notice;
import java.lang.foreign.MemorySegment;

/// Notices that a manager itself makes (IBA 14.2.5.1): about ports and groups.
final class Notices {
    static final int PORT_IN = 64;
    static final int PORT_OUT = 65;
    static final int GROUP_CREATED = 66;
    static final int GROUP_DELETED = 67;

    private static final int SUBNET_MANAGEMENT = 3;
    private static final int CLASS_MANAGER = 4;
    private static final int GID_AT = Notice.DETAILS + 6;

    private Notices() {}

    /// Whether nodes report something by a number (IBA 14.2.5.1, 14.3.9).
    static boolean isTrap(int number) {
        return (number >= 128 && number <= 131)
                || number == Notice.LOCAL_CHANGES
                || number == 145
                || (number >= Notice.BAD_M_KEY && number <= 259);
    }

    static MemorySegment of(int number, Gid subject, int ownLid) {
        MemorySegment notice = MemorySegment.ofArray(new byte[Notice.LENGTH]);
        Notice.IS_GENERIC.write(notice, 0, 1);
        Notice.TYPE.write(notice, 0, SUBNET_MANAGEMENT);
        Notice.PRODUCER_TYPE.write(notice, 0, CLASS_MANAGER);
        Notice.TRAP_NUMBER.write(notice, 0, number);
        Notice.ISSUER_LID.write(notice, 0, ownLid);
        subject.emit(notice, GID_AT);
        return notice;
    }
}
