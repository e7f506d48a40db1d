package dev.verbena.ibverbs.driver;

import java.util.ArrayDeque;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Events that wait to be fetched, and a file that can be read as long as there are some.
///
/// @param <E> what an event is
final class EventFile<E> {
    private final ArrayDeque<E> events = new ArrayDeque<>();
    private final int file = LibC.eventFile();

    int file() {
        return file;
    }

    void add(E event) {
        events.add(event);
        LibC.add(file);
    }

    @Nullable E poll() {
        E event = events.poll();
        if (event != null) {
            LibC.take(file);
        }
        return event;
    }

    void removeIf(Predicate<E> gone) {
        int before = events.size();
        events.removeIf(gone);
        for (int i = events.size(); i < before; i++) {
            LibC.take(file);
        }
    }

    /// Fetching from it without an event would wait in the kernel for ever.
    boolean waits() {
        return LibC.waits(file);
    }

    void close() {
        LibC.close(file);
    }
}
