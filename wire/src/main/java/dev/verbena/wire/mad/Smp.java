package dev.verbena.wire.mad;

import dev.verbena.wire.BigEndian;
import java.lang.foreign.MemorySegment;

/// A datagram of subnet management, by LID or by a directed route (IBA 14.2.1).
///
/// | byte | bits | field |
/// |---|---|---|
/// | 0 | 192 | common header, see [Mad] |
/// | 24 | 64 | M_Key |
/// | 32 | 256 | by LID: reserved; directed: see [DirectedRoute] |
/// | 64 | 512 | the attribute |
/// | 128 | 1024 | by LID: reserved; directed: the path out and the path back |
public final class Smp {
    public static final int CLASS_VERSION = 1;

    /// Where the attribute is, also in datagrams of performance management.
    public static final int DATA = 64;

    public static final int DATA_LENGTH = 64;

    private static final int STATUS = 4;
    private static final int METHOD = 3;
    private static final int M_KEY = 24;
    private static final int DIRECTION = 0x8000;

    private Smp() {}

    /// Whether `length` bytes are a datagram of subnet management, in either routing.
    public static MadVerdict check(MemorySegment segment, long at, int length) {
        if (!Mad.check(segment, at, length).isOk()) {
            return MadVerdict.NOT_A_MAD;
        }
        int managementClass = Mad.managementClass(segment, at);
        if (!ManagementClass.isSubnetManagement(managementClass)) {
            return MadVerdict.CLASS_FOREIGN;
        }
        if (Mad.classVersion(segment, at) != CLASS_VERSION) {
            return MadVerdict.CLASS_VERSION;
        }
        boolean isDirected = managementClass == ManagementClass.SUBNET_DIRECTED_ROUTE;
        return isDirected ? RouteStep.check(segment, at) : MadVerdict.OK;
    }

    public static boolean isDirected(MemorySegment segment, long at) {
        return Mad.managementClass(segment, at) == ManagementClass.SUBNET_DIRECTED_ROUTE;
    }

    public static long mkey(MemorySegment segment, long at) {
        return BigEndian.i64(segment, at + M_KEY);
    }

    public static void mkey(MemorySegment segment, long at, long key) {
        BigEndian.put64(segment, at + M_KEY, key);
    }

    /// Makes an answer of a request, in place: Get and Set have the same one. A directed route
    /// turns around.
    public static void answer(MemorySegment segment, long at, int status) {
        BigEndian.put8(segment, at + METHOD, MadMethod.GET_RESPONSE);
        BigEndian.put16(segment, at + STATUS, status | (isDirected(segment, at) ? DIRECTION : 0));
    }

    /// Writes a request with an attribute of zeros.
    public static void request(MemorySegment segment, long at, Mad header, long key) {
        segment.asSlice(at, Mad.LENGTH_TOTAL).fill((byte) 0);
        header.emit(segment, at);
        mkey(segment, at, key);
    }

    /// Gives a request the ports by which it goes, one for each hop.
    public static void route(MemorySegment segment, long at, int... ports) {
        DirectedRoute.HOP_COUNT.write(segment, at, ports.length);
        DirectedRoute.DR_SLID.write(segment, at, DirectedRoute.PERMISSIVE);
        DirectedRoute.DR_DLID.write(segment, at, DirectedRoute.PERMISSIVE);
        for (int hop = 0; hop < ports.length; hop++) {
            BigEndian.put8(segment, at + DirectedRoute.INITIAL_PATH + 1 + hop, ports[hop]);
        }
    }
}
