package dev.verbena.ibverbs.driver;

import java.util.ArrayDeque;

/// The places of a work queue. As with a NIC, a place is free again when the completion of its
/// request, or of a later one, was fetched: not when the request is done.
final class WorkRing {
    final InProcessDriver driver;
    private final int depth;
    private final boolean isOrdered;
    private final ArrayDeque<Posted> posted = new ArrayDeque<>();

    /// @param isOrdered whether a completed request means that those before it are done
    WorkRing(InProcessDriver driver, int depth, boolean isOrdered) {
        this.driver = driver;
        this.depth = depth;
        this.isOrdered = isOrdered;
    }

    int depth() {
        return depth;
    }

    void requireRoom(long id) {
        Refusal.unless(posted.size() < depth, Refusal.ENOMEM);
        for (Posted other : posted) {
            if (other.id == id) {
                driver.misuse.add("number 0x%x names two requests of one queue".formatted(id));
            }
        }
    }

    void add(Posted request) {
        posted.addLast(request);
        driver.posted.put(request.token, request);
    }

    /// The device did not take it.
    void takeBack(Posted request) {
        request.release();
        posted.remove(request);
        driver.posted.remove(request.token);
    }

    void done(Posted request) {
        if (!isOrdered || !posted.contains(request)) {
            takeBack(request);
            return;
        }
        Posted first;
        do {
            first = posted.removeFirst();
            first.release();
            driver.posted.remove(first.token);
        } while (first != request);
    }

    /// Forgets all of them. Completions that wait already are fetched all the same, as with
    /// Soft-RoCE.
    void clear() {
        posted.forEach(Posted::release);
        posted.clear();
    }
}
