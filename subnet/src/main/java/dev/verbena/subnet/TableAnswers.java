package dev.verbena.subnet;

import dev.verbena.wire.mad.Smp;
import java.lang.foreign.MemorySegment;

/// What answers about tables mean: each table knows what its node has, and whether that is what it
/// is to be.
record TableAnswers(
        ForwardingTables tables, GroupTables groups, KeyTables keys, LevelTables levels) {
    SmVerdict take(long task, MemorySegment mad) {
        int place = SmpKind.place(task);
        int block = SmpKind.block(task);
        boolean isRight =
                switch (SmpKind.of(task)) {
                    case SET_BLOCK -> {
                        tables.written(place, block, entries(mad));
                        yield !tables.isChanged(place, block);
                    }
                    case READ_BLOCK -> {
                        tables.written(place, block, entries(mad));
                        yield true;
                    }
                    case SET_GROUPS -> {
                        groups.written(place, block, mad, Smp.DATA);
                        yield !groups.isChanged(place, block);
                    }
                    case READ_GROUPS -> {
                        groups.read(place, block, mad, Smp.DATA);
                        yield true;
                    }
                    case KEYS -> {
                        keys.read(place, block, mad, Smp.DATA);
                        yield true;
                    }
                    case SET_KEYS -> {
                        keys.read(place, block, mad, Smp.DATA);
                        yield !keys.isChanged(place, block);
                    }
                    case SET_LEVELS -> levels.wroteLevels(place, block, mad);
                    case SET_WEIGHTS -> levels.wroteWeights(place, block, mad);
                    default -> throw new AssertionError("a table: " + SmpKind.of(task));
                };
        return isRight ? SmVerdict.OK : SmVerdict.NOT_SET;
    }

    private static byte[] entries(MemorySegment mad) {
        byte[] entries = new byte[ForwardingTables.BLOCK];
        MemorySegment.copy(mad, Smp.DATA, MemorySegment.ofArray(entries), 0, entries.length);
        return entries;
    }
}
