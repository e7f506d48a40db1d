package dev.verbena.fabric.manage;

import dev.verbena.wire.mad.MadMethod;
import dev.verbena.wire.mad.PortInfo;
import dev.verbena.wire.mad.Smp;
import java.lang.foreign.MemorySegment;

/// The M_Key of a node (IBA 14.2.4): which datagrams of subnet management it obeys.
///
/// | protection | Get without the key | Set without the key |
/// |---|---|---|
/// | 0 | answered, with the key | dropped |
/// | 1 | answered, without the key | dropped |
/// | 2, 3 | dropped | dropped |
///
/// A dropped one is counted and reported by a trap, and begins the lease: if no datagram with the
/// right key comes within it, the protection ends, so that a manager can take over whose
/// predecessor took the key with it.
final class ManagerKey {
    private static final long NS = 1_000_000_000L;
    private static final int VIOLATIONS_MAX = 0xFFFF;

    /// From here on, a Get without the key is dropped.
    private static final int CLOSED = 2;

    private final PortTable ports;
    private final Plane plane;
    private final Traps traps;
    private long leaseEndsNs = Long.MAX_VALUE;

    ManagerKey(PortTable ports, Plane plane, Traps traps) {
        this.ports = ports;
        this.plane = plane;
        this.traps = traps;
    }

    private MemorySegment info() {
        return ports.info(ports.own());
    }

    boolean admits(MemorySegment mad, MadEnvelope envelope, int method) {
        MemorySegment info = info();
        if (plane.nowNs() >= leaseEndsNs) {
            leaseEndsNs = Long.MAX_VALUE;
            PortInfo.M_KEY_PROTECT_BITS.write(info, 0, 0);
            PortInfo.M_KEY.write(info, 0, 0);
        }
        if (isRight(mad)) {
            leaseEndsNs = Long.MAX_VALUE;
            return true;
        }
        int protection = PortInfo.M_KEY_PROTECT_BITS.readInt(info, 0);
        if (method == MadMethod.GET && protection < CLOSED) {
            return true;
        }
        int violations = PortInfo.M_KEY_VIOLATIONS.readInt(info, 0);
        PortInfo.M_KEY_VIOLATIONS.write(info, 0, Math.min(violations + 1, VIOLATIONS_MAX));
        int leaseSeconds = PortInfo.M_KEY_LEASE_PERIOD.readInt(info, 0);
        if (leaseSeconds > 0 && leaseEndsNs == Long.MAX_VALUE) {
            leaseEndsNs = plane.nowNs() + leaseSeconds * NS;
        }
        traps.badKey(mad, envelope);
        return false;
    }

    private boolean isRight(MemorySegment mad) {
        long key = PortInfo.M_KEY.read(info(), 0);
        return key == 0 || Smp.mkey(mad, 0) == key;
    }

    /// Whether an answer to this datagram must not show the key.
    boolean hides(MemorySegment mad) {
        return !isRight(mad) && PortInfo.M_KEY_PROTECT_BITS.readInt(info(), 0) > 0;
    }

    /// Writes what all ports of a node have in common, which is kept for one.
    void copyTo(MemorySegment to, long at) {
        MemorySegment info = info();
        PortInfo.M_KEY.write(to, at, PortInfo.M_KEY.read(info, 0));
        PortInfo.M_KEY_PROTECT_BITS.write(to, at, PortInfo.M_KEY_PROTECT_BITS.read(info, 0));
        PortInfo.M_KEY_LEASE_PERIOD.write(to, at, PortInfo.M_KEY_LEASE_PERIOD.read(info, 0));
    }
}
