package dev.verbena.roce;

import dev.verbena.transport.carrier.Path;
import dev.verbena.verbs.Gid;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The ways of a device, each worked out once for its path.
final class Ways {
    private final Datagrams datagrams;
    private final Gid source;
    private final int scope;
    private @Nullable Way[] known = new Way[4];

    Ways(Datagrams datagrams, Gid source, int scope) {
        this.datagrams = datagrams;
        this.source = source;
        this.scope = scope;
    }

    Way of(Path path) {
        int index = path.index();
        if (index >= known.length) {
            known = Arrays.copyOf(known, Math.max(index + 1, known.length * 2));
        }
        Way way = known[index];
        if (way == null || !isOf(way, path)) {
            way = new Way(path, source, datagrams.sourcePort(path.address().flowLabel()), scope);
            known[index] = way;
        }
        return way;
    }

    /// The number of a path is used again for another; the same one is nearly always the very same.
    @SuppressWarnings("ReferenceEquality")
    private static boolean isOf(Way way, Path path) {
        return way.path() == path || way.path().equals(path);
    }
}
