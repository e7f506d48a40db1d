package dev.verbena.wire.mad;

import dev.verbena.wire.BigEndian;
import java.lang.foreign.MemorySegment;

/// Moves a datagram on along its directed route, one node at a time (IBA 14.2.2).
///
/// ```text
///   manager         switch          switch          node
///   pointer 0 ─▶ 1 ─────────▶ 2 ─────────▶ 3 ─────────▶ 4, answered
///   delivered 0 ◀── 1 ◀─────────── 2 ◀─────────── 3 ◀───┘
/// ```
public final class RouteStep {
    /// Instead of a port: it has arrived.
    public static final int HERE = -1;

    /// Instead of a port: the part by LID begins.
    public static final int BY_LID = -2;

    /// Instead of a port: it is dropped.
    public static final int NOWHERE = -3;

    private RouteStep() {}

    static MadVerdict check(MemorySegment segment, long at) {
        int count = DirectedRoute.HOP_COUNT.readInt(segment, at);
        int pointer = DirectedRoute.HOP_POINTER.readInt(segment, at);
        boolean isRight = count <= DirectedRoute.HOPS_MAX && pointer <= count + 1;
        return isRight ? MadVerdict.OK : MadVerdict.HOPS;
    }

    /// The port by which a datagram leaves the node that made it; [#HERE] for a route without hops.
    public static int start(MemorySegment segment, long at) {
        boolean isBack = DirectedRoute.DIRECTION.readInt(segment, at) == 1;
        int count = DirectedRoute.HOP_COUNT.readInt(segment, at);
        if (isBack) {
            return back(segment, at, count + 1);
        }
        if (count == 0) {
            DirectedRoute.HOP_POINTER.write(segment, at, 1);
            return HERE;
        }
        DirectedRoute.HOP_POINTER.write(segment, at, 1);
        return initial(segment, at, 1);
    }

    /// What becomes of a datagram that has come to a node: the port by which it leaves, or one of
    /// the three codes.
    ///
    /// @param port by which it came
    /// @param forwards whether the node is a switch
    public static int arrive(MemorySegment segment, long at, int port, boolean forwards) {
        int count = DirectedRoute.HOP_COUNT.readInt(segment, at);
        int pointer = DirectedRoute.HOP_POINTER.readInt(segment, at);
        if (DirectedRoute.DIRECTION.readInt(segment, at) == 1) {
            return pointer == 1 || forwards ? back(segment, at, pointer) : NOWHERE;
        }
        if (pointer == 0 || pointer > count) {
            return NOWHERE;
        }
        BigEndian.put8(segment, at + DirectedRoute.RETURN_PATH + pointer, port);
        DirectedRoute.HOP_POINTER.write(segment, at, pointer + 1L);
        if (pointer < count) {
            return forwards ? initial(segment, at, pointer + 1) : NOWHERE;
        }
        int target = DirectedRoute.DR_DLID.readInt(segment, at);
        return target == DirectedRoute.PERMISSIVE ? HERE : forwards ? BY_LID : NOWHERE;
    }

    private static int back(MemorySegment segment, long at, int pointer) {
        if (pointer == 0) {
            return NOWHERE;
        }
        DirectedRoute.HOP_POINTER.write(segment, at, pointer - 1L);
        if (pointer > 1) {
            return BigEndian.u8(segment, at + DirectedRoute.RETURN_PATH + pointer - 1);
        }
        int source = DirectedRoute.DR_SLID.readInt(segment, at);
        return source == DirectedRoute.PERMISSIVE ? HERE : BY_LID;
    }

    private static int initial(MemorySegment segment, long at, int hop) {
        return BigEndian.u8(segment, at + DirectedRoute.INITIAL_PATH + hop);
    }
}
