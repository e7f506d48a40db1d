package dev.verbena.wire.mad;

import dev.verbena.wire.BigEndian;
import dev.verbena.wire.Verdict;
import dev.verbena.wire.WireException;
import java.lang.foreign.MemorySegment;

/// The common header of every management datagram (IBA 13.4.3).
///
/// | byte | bits | field |
/// |---|---|---|
/// | 0 | 8 | base version, always 1 |
/// | 1 | 8 | management class |
/// | 2 | 8 | class version |
/// | 3 | 8 | method; the highest bit marks a response |
/// | 4 | 16 | status (directed route: direction bit and 15 bits of status) |
/// | 6 | 16 | class specific (directed route: hop pointer and hop count) |
/// | 8 | 64 | transaction ID |
/// | 16 | 16 | attribute ID |
/// | 18 | 16 | reserved |
/// | 20 | 32 | attribute modifier |
public record Mad(
        int managementClass,
        int classVersion,
        int method,
        int status,
        int classSpecific,
        long transactionId,
        int attributeId,
        int attributeModifier) {
    public static final int LENGTH = 24;

    /// Header and data together: every management datagram has this length (IBA 13.4.2).
    public static final int LENGTH_TOTAL = 256;

    public static final int BASE_VERSION = 1;

    private static final int BASE_VERSION_AT = 0;
    private static final int MANAGEMENT_CLASS = 1;
    private static final int CLASS_VERSION = 2;
    private static final int METHOD = 3;
    private static final int STATUS = 4;
    private static final int CLASS_SPECIFIC = 6;
    private static final int TRANSACTION_ID = 8;
    private static final int ATTRIBUTE_ID = 16;
    private static final int RESERVED = 18;
    private static final int ATTRIBUTE_MODIFIER = 20;

    public Mad {
        WireException.requireBits("mad management class", managementClass, 8);
        WireException.requireBits("mad class version", classVersion, 8);
        WireException.requireBits("mad method", method, 8);
        WireException.requireBits("mad status", status, 16);
        WireException.requireBits("mad class specific", classSpecific, 16);
        WireException.requireBits("mad attribute id", attributeId, 16);
    }

    /// Whether `length` bytes are a management datagram, of any class.
    public static Verdict check(MemorySegment segment, long at, int length) {
        if (length != LENGTH_TOTAL) {
            return Verdict.MAD_LENGTH;
        }
        if (baseVersion(segment, at) != BASE_VERSION) {
            return Verdict.MAD_VERSION;
        }
        return Verdict.OK;
    }

    public static int baseVersion(MemorySegment segment, long at) {
        return BigEndian.u8(segment, at + BASE_VERSION_AT);
    }

    public static int managementClass(MemorySegment segment, long at) {
        return BigEndian.u8(segment, at + MANAGEMENT_CLASS);
    }

    public static int classVersion(MemorySegment segment, long at) {
        return BigEndian.u8(segment, at + CLASS_VERSION);
    }

    public static int method(MemorySegment segment, long at) {
        return BigEndian.u8(segment, at + METHOD);
    }

    public static int status(MemorySegment segment, long at) {
        return BigEndian.u16(segment, at + STATUS);
    }

    public static int classSpecific(MemorySegment segment, long at) {
        return BigEndian.u16(segment, at + CLASS_SPECIFIC);
    }

    public static long transactionId(MemorySegment segment, long at) {
        return BigEndian.i64(segment, at + TRANSACTION_ID);
    }

    public static int attributeId(MemorySegment segment, long at) {
        return BigEndian.u16(segment, at + ATTRIBUTE_ID);
    }

    public static int attributeModifier(MemorySegment segment, long at) {
        return BigEndian.i32(segment, at + ATTRIBUTE_MODIFIER);
    }

    public static Mad parse(MemorySegment segment, long at) {
        return new Mad(
                managementClass(segment, at),
                classVersion(segment, at),
                method(segment, at),
                status(segment, at),
                classSpecific(segment, at),
                transactionId(segment, at),
                attributeId(segment, at),
                attributeModifier(segment, at));
    }

    public void emit(MemorySegment segment, long at) {
        BigEndian.put8(segment, at + BASE_VERSION_AT, BASE_VERSION);
        BigEndian.put8(segment, at + MANAGEMENT_CLASS, managementClass);
        BigEndian.put8(segment, at + CLASS_VERSION, classVersion);
        BigEndian.put8(segment, at + METHOD, method);
        BigEndian.put16(segment, at + STATUS, status);
        BigEndian.put16(segment, at + CLASS_SPECIFIC, classSpecific);
        BigEndian.put64(segment, at + TRANSACTION_ID, transactionId);
        BigEndian.put16(segment, at + ATTRIBUTE_ID, attributeId);
        BigEndian.put16(segment, at + RESERVED, 0);
        BigEndian.put32(segment, at + ATTRIBUTE_MODIFIER, attributeModifier);
    }

    /// A readable name of the datagram: `SubnGet(NodeInfo)`, `CM REQ`.
    public String title() {
        return title(managementClass, method, attributeId);
    }

    /// The title of any three codes; unknown ones appear as numbers.
    public static String title(int managementClass, int method, int attributeId) {
        String attribute = MadAttribute.name(managementClass, attributeId);
        // Connection management only ever sends, so its messages are known by attribute alone.
        if (managementClass == ManagementClass.COMMUNICATION && method == MadMethod.SEND) {
            return "CM " + attribute;
        }
        String prefix = ManagementClass.prefix(managementClass);
        String verb = MadMethod.name(method);
        boolean apart = prefix.indexOf(' ') >= 0 || verb.indexOf(' ') >= 0;
        return prefix + (apart ? " " : "") + verb + "(" + attribute + ")";
    }
}
