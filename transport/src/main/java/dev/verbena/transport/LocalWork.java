package dev.verbena.transport;

import dev.verbena.verbs.CompletionStatus;

/// Carries out requests that need no packet: ends of keys and bindings of windows.
final class LocalWork {
    private final Engine engine;

    LocalWork(Engine engine) {
        this.engine = engine;
    }

    /// How the request ended; it is the oldest of its queue.
    CompletionStatus carryOut(TransportQueuePair pair, int slot) {
        WorkSlab work = engine.work;
        if (work.kind(slot) == Work.BIND_WINDOW) {
            boolean bound = engine.windows.bind(slot, pair);
            engine.counters.add(bound ? Counter.BOUND_WINDOW : Counter.BIND_FAILED);
            return bound ? CompletionStatus.SUCCESS : CompletionStatus.WINDOW_BIND_ERROR;
        }
        boolean ended = engine.memory.invalidate(work.immediate(slot), pair);
        engine.counters.add(ended ? Counter.LOCAL_INVALIDATED : Counter.LOCAL_INVALIDATE_FAILED);
        return ended ? CompletionStatus.SUCCESS : CompletionStatus.LOCAL_QUEUE_PAIR_ERROR;
    }
}
