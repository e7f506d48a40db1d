package dev.verbena.transport.carrier;

import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What a carrier has worked out for each path of a device, once: headers, a destination, a port.
///
/// @param <T> what it is; it does not change while its path is in use
public final class PathCache<T> {
    private final Function<Path, T> worker;
    private @Nullable Path[] paths = new Path[1];
    private @Nullable Object[] known = new Object[1];

    /// @param worker works it out for a path that was not asked for yet
    public PathCache(Function<Path, T> worker) {
        this.worker = worker;
    }

    /// What belongs to a path. The number of a path is used again for another, so the path itself
    /// is compared; it is nearly always the very same object.
    @SuppressWarnings({"unchecked", "ReferenceEquality"})
    public T of(Path path) {
        int index = path.index();
        if (index >= paths.length) {
            int length = Math.max(index + 1, paths.length * 2);
            paths = Arrays.copyOf(paths, length);
            known = Arrays.copyOf(known, length);
        }
        Path before = paths[index];
        Object value = known[index];
        if (value == null || (before != path && !path.equals(before))) {
            value = worker.apply(path);
            paths[index] = path;
            known[index] = value;
        }
        return (T) value;
    }

    /// Works it out again when it is asked for next.
    public void forget(Path path) {
        if (path.index() < known.length) {
            known[path.index()] = null;
        }
    }
}
