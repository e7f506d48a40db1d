package example.log;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/// How a log lies in memory: the number of entries first, then the entries, each in a slot of its
/// own.
public final class LogLayout {
    static final int COUNT_BYTES = 8;
    static final int SLOT_BYTES = 128;

    private LogLayout() {}

    static long slotAt(int index) {
        return SLOT_BYTES * (1L + index);
    }

    static void put(MemorySegment log, int index, String entry) {
        log.asSlice(slotAt(index), SLOT_BYTES).setString(0, entry);
    }

    static void publish(MemorySegment log, int count) {
        log.set(ValueLayout.JAVA_LONG, 0, count);
    }

    /// All entries that the log says it has.
    public static List<String> read(MemorySegment log) {
        List<String> entries = new ArrayList<>();
        for (int i = 0; i < log.get(ValueLayout.JAVA_LONG, 0); i++) {
            entries.add(log.asSlice(slotAt(i), SLOT_BYTES).getString(0));
        }
        return entries;
    }
}
