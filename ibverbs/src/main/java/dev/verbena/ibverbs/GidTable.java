package dev.verbena.ibverbs;

import static dev.verbena.ibverbs.Library.Kind.INT;
import static dev.verbena.ibverbs.Library.Kind.LONG;

import dev.verbena.verbs.Gid;
import dev.verbena.verbs.LimitExceededException;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// The addresses of a port that packets can be sent from, those first that reach farthest: on
/// Ethernet IPv4, then IPv6, then those of the link; RoCE v1 is left out. On InfiniBand as the port
/// has them.
final class GidTable {
    /// As many as a device of today has at most, and more than one has in use.
    private static final int MOST = 1024;

    /// Where the table cannot be asked for as a whole, unused entries end the search.
    private static final int GAP = 16;

    /// An address, and where the device keeps it.
    ///
    /// @param interfaceIndex of the network interface that has it; 0 where there is none
    record Entry(int index, Gid gid, int interfaceIndex) {
        private int rank() {
            if (gid.isIpv4()) {
                return 0;
            }
            return isOfTheLink() ? 2 : 1;
        }

        /// Whether it means something on its link only.
        boolean isOfTheLink() {
            return gid.high() >>> 54 == 0xFE80 >>> 6;
        }
    }

    private GidTable() {}

    static List<Entry> of(RdmaStack stack, IbvSettings settings, long context, boolean isEthernet) {
        List<Entry> entries = new ArrayList<>(read(stack, settings, context));
        if (isEthernet) {
            entries.sort(Comparator.comparingInt(Entry::rank).thenComparingInt(Entry::index));
        }
        return wantedFirst(entries, settings);
    }

    /// The one that was asked for comes first, since queue pairs use the first.
    private static List<Entry> wantedFirst(List<Entry> found, IbvSettings settings) {
        if (settings.gid().isEmpty()) {
            return List.copyOf(found);
        }
        int wanted = settings.gid().getAsInt();
        List<Entry> ordered = new ArrayList<>(found);
        ordered.sort(Comparator.comparing(entry -> entry.index() != wanted));
        if (ordered.isEmpty() || ordered.getFirst().index() != wanted) {
            throw new LimitExceededException(
                    settings.name(),
                    "no gid at index " + wanted,
                    "it has "
                            + found.stream()
                                    .map(entry -> entry.index() + ": " + entry.gid())
                                    .toList());
        }
        return List.copyOf(ordered);
    }

    private static List<Entry> read(RdmaStack stack, IbvSettings settings, long context) {
        var query =
                stack.verbs().optional("_ibv_query_gid_table", LONG, LONG, LONG, LONG, INT, LONG);
        if (query == null) {
            return search(stack, settings);
        }
        List<Entry> entries = new ArrayList<>();
        try (Arena arena = Arena.ofConfined()) {
            long table =
                    arena.allocate((long) MOST * Structs.GidEntry.SIZE, Structs.POINTER).address();
            long count = query.call(context, table, MOST, 0, Structs.GidEntry.SIZE).value();
            for (int i = 0; i < count; i++) {
                long at = table + (long) i * Structs.GidEntry.SIZE;
                Gid gid =
                        new Gid(
                                Long.reverseBytes(Memory.getLong(at)),
                                Long.reverseBytes(Memory.getLong(at + Long.BYTES)));
                boolean isOurs = Memory.getInt(at + Structs.GidEntry.PORT) == settings.port();
                int type = Memory.getInt(at + Structs.GidEntry.TYPE);
                if (isOurs && type != Structs.GidEntry.ROCE_V1) {
                    entries.add(
                            new Entry(
                                    Memory.getInt(at + Structs.GidEntry.INDEX),
                                    gid,
                                    Memory.getInt(at + Structs.GidEntry.INTERFACE)));
                }
            }
        }
        return entries;
    }

    /// For libraries that cannot be asked: the kernel's files, one by one.
    private static List<Entry> search(RdmaStack stack, IbvSettings settings) {
        Sysfs files = new Sysfs(stack.sysfs(), settings.device());
        List<Entry> entries = new ArrayList<>();
        int unused = 0;
        for (int index = 0; index < MOST && unused < GAP; index++) {
            String text = files.gid(settings.port(), index);
            Gid gid = text.isEmpty() ? Gid.NONE : Gid.parse(text);
            unused = gid.equals(Gid.NONE) ? unused + 1 : 0;
            if (unused == 0 && !files.gidType(settings.port(), index).endsWith("v1")) {
                entries.add(new Entry(index, gid, 0));
            }
        }
        return entries;
    }
}
