package dev.verbena.subnet;

import dev.verbena.wire.BigEndian;
import dev.verbena.wire.mad.Mad;
import dev.verbena.wire.mad.MadMethod;
import dev.verbena.wire.mad.MadStatus;
import dev.verbena.wire.mad.SmInfo;
import dev.verbena.wire.mad.Smp;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;

/// Datagrams that the manager sends unasked: thanks for traps, and answers to other managers. They
/// need no answer, so they take no place in the window.
final class Traffic {
    /// More than that are dropped: traps are repeated, and other managers ask again.
    private static final int SIZE_MAX = 256;

    /// The SM_Key by which managers trust each other, and askers of theirs, as other makers have it
    /// unless it is changed. OpenSM passes over a manager that shows another one.
    static final long TRUST_KEY = 1;

    private static final int METHOD_AT = 3;

    private record Outgoing(int lid, MemorySegment mad) {}

    private final ArrayDeque<Outgoing> queue = new ArrayDeque<>();
    private final int priority;
    private int activity;

    /// @param priority among managers
    Traffic(int priority) {
        this.priority = priority;
    }

    /// Ends a trap's repetition.
    void repress(int lid, MemorySegment trap, long key) {
        MemorySegment mad = copy(trap);
        BigEndian.put8(mad, METHOD_AT, MadMethod.TRAP_REPRESS);
        Smp.mkey(mad, 0, key);
        add(lid, mad);
    }

    /// Answers another manager what this one is.
    ///
    /// @param isDone whether what it asked for was done
    void answerInfo(int lid, MemorySegment request, long guid, int state, boolean isDone) {
        MemorySegment mad = copy(request);
        mad.asSlice(Smp.DATA, Smp.DATA_LENGTH).fill((byte) 0);
        SmInfo.GUID.write(mad, Smp.DATA, guid);
        SmInfo.SM_KEY.write(mad, Smp.DATA, TRUST_KEY);
        SmInfo.SM_STATE.write(mad, Smp.DATA, state);
        SmInfo.PRIORITY.write(mad, Smp.DATA, priority);
        SmInfo.ACT_COUNT.write(mad, Smp.DATA, Integer.toUnsignedLong(++activity));
        Smp.answer(mad, 0, isDone ? MadStatus.OK : MadStatus.METHOD_UNSUPPORTED);
        add(Smp.isDirected(mad, 0) ? DatagramSink.DIRECTED : lid, mad);
    }

    private static MemorySegment copy(MemorySegment from) {
        MemorySegment mad = MemorySegment.ofArray(new byte[Mad.LENGTH_TOTAL]);
        MemorySegment.copy(from, 0, mad, 0, Mad.LENGTH_TOTAL);
        return mad;
    }

    private void add(int lid, MemorySegment mad) {
        if (queue.size() < SIZE_MAX) {
            queue.add(new Outgoing(lid, mad));
        }
    }

    /// Sends one.
    ///
    /// @return whether there was one
    boolean send(DatagramSink sink) {
        Outgoing next = queue.poll();
        if (next == null) {
            return false;
        }
        sink.send(next.lid, 0, next.mad);
        return true;
    }
}
