package dev.verbena.transport;

import dev.verbena.testkit.Choices;
import dev.verbena.transport.carrier.Counter;
import dev.verbena.transport.carrier.InboundPacket;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairOptions;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.ReceiveBatch;
import dev.verbena.wire.Service;
import java.lang.foreign.Arena;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A queue pair of an unreliable service, its receives, and what must come out of them: computed
/// from the packets that its device is given, whatever the wire did to the others.
abstract class UnreliableEndpoint {
    /// A receive that was taken, and how it must end; without a message when it was flushed.
    record Due(Receive receive, CompletionStatus status, @Nullable UnreliableMessage posting) {}

    final CampaignRun run;
    final Host host;
    final Choices choices;
    final QueuePair queuePair;
    final int number;
    final ReceivePool pool;
    final @Nullable SharedPool shared;

    /// The program closed it, or it failed.
    boolean closed;

    boolean stopped;
    int lastRequests;

    private final int index;
    private final ArrayDeque<Due> due = new ArrayDeque<>();
    private final double lateReceives;
    private final long lateNs;
    private final int stopAt;
    private final boolean closes;
    private final double dyingChance;
    private final Set<Long> dying = new HashSet<>();
    private final List<Arena> arenas = new ArrayList<>();
    private final List<MemoryRegion> regions = new ArrayList<>();
    private boolean waiting;

    UnreliableEndpoint(
            CampaignRun run,
            Host host,
            int index,
            QueuePairType type,
            int longest,
            Consumer<QueuePairOptions> settings) {
        this.run = run;
        this.host = host;
        this.index = index;
        choices = run.plan.choices.split();
        lateReceives = choices.chance(0.4) ? 0.3 : 0;
        lateNs = choices.between(1, 200_000);
        stopAt =
                choices.chance(0.1)
                        ? choices.between(1, run.plan.unreliableMessages)
                        : Integer.MAX_VALUE;
        closes = choices.chance(0.5);
        dyingChance = choices.chance(0.1) ? 0.05 : 0;
        shared = choices.chance(0.4) ? host.shared : null;
        int depth = choices.between(1, longest > 10_000 ? 4 : 24);
        pool =
                shared != null
                        ? shared.pool
                        : new ReceivePool(host, choices, depth, 40, longest, receiveId());
        queuePair =
                host.domain.queuePair(
                        type,
                        options -> {
                            options.completions(host.completions)
                                    .sendDepth(choices.between(16, 64))
                                    .receiveDepth(depth + 2);
                            if (shared != null) {
                                options.sharedReceives(shared.queue);
                            }
                            settings.accept(options);
                        });
        number = queuePair.number();
    }

    abstract UnreliableSendQueue sender();

    abstract Service service();

    /// Says what must become of a packet that is addressed to it and fit for it.
    abstract void expect(InboundPacket packet, CounterModel model);

    /// Compares the received bytes with the sent ones; the receive is emptied afterwards.
    abstract void check(Due expected, UnreliableMessage posting, Completion completion);

    /// A receive that a message holds without having ended, or null.
    @Nullable Receive kept() {
        return null;
    }

    /// How large the next receive is.
    abstract int capacity();

    long sendId(long count) {
        return ((long) index << 40) | count;
    }

    private long receiveId() {
        return ((long) index << 40) | (1L << 39);
    }

    void advance() {
        if (closed || stopped) {
            return;
        }
        if (shared == null) {
            feed();
        }
        sender().advance();
        if (sender().posted >= stopAt) {
            run.drain(host);
            if (closes) {
                end();
            } else {
                stop();
            }
        }
    }

    private void feed() {
        if (waiting || pool.posted.size() >= pool.depth) {
            return;
        }
        if (choices.chance(lateReceives)) {
            waiting = true;
            run.pair.at(
                    run.pair.nowNs() + choices.between(1, lateNs),
                    () -> {
                        waiting = false;
                        fill();
                    });
        } else if (pool.posted.size() <= pool.depth / 2) {
            fill();
        }
    }

    private void fill() {
        int more = closed || stopped ? 0 : pool.missing();
        if (more == 0) {
            return;
        }
        ReceiveBatch batch = queuePair.receives();
        for (int i = 0; i < more; i++) {
            if (choices.chance(dyingChance)) {
                addDying(batch);
            } else {
                pool.add(batch, capacity());
            }
        }
        require(batch.post(), "%d receives do not fit", more);
        arenas.forEach(Arena::close);
        arenas.clear();
        run.progress();
    }

    /// One whose memory is gone when a message comes for it.
    private void addDying(ReceiveBatch batch) {
        Arena arena = Arena.ofShared();
        int bytes = capacity();
        MemoryRegion region = host.domain.register(arena.allocate(bytes), Access.LOCAL_WRITE);
        batch.receive().local(region, 0, bytes).id(pool.nextId());
        pool.addForeign(bytes);
        dying.add(pool.nextId() - 1);
        arenas.add(arena);
        regions.add(region);
    }

    boolean isDying(Receive receive) {
        return dying.contains(receive.id());
    }

    /// The memory of a receive turns out to be gone: it fails, and the queue pair with it.
    void fail(Receive receive, CounterModel model) {
        model.owe(Counter.LOCAL_PROTECTION);
        owe(receive, CompletionStatus.LOCAL_PROTECTION_ERROR, null);
        flush();
    }

    private void flush() {
        stopped = true;
        sender().stop();
        while (shared == null && !pool.posted.isEmpty()) {
            owe(pool.posted.remove(), CompletionStatus.FLUSHED, null);
        }
    }

    boolean hasReceive() {
        return !pool.posted.isEmpty();
    }

    Receive take() {
        return shared == null ? pool.posted.remove() : shared.take();
    }

    void owe(Receive receive, CompletionStatus status, @Nullable UnreliableMessage posting) {
        due.add(new Due(receive, status, posting));
    }

    /// Whether it takes packets; what must be counted when it does not.
    boolean admits(InboundPacket packet, CounterModel model) {
        if (!queuePair.state().answers()) {
            model.owe(Counter.DROPPED_STATE);
            return false;
        }
        if (packet.view().opcode().service() != service()) {
            model.owe(Counter.DROPPED_SERVICE);
            return false;
        }
        return true;
    }

    void complete(Completion completion) {
        require(!closed, "a completion after the end of the queue pair");
        if (!RcEndpoint.isReceive(completion.id())) {
            sender().complete(completion);
            return;
        }
        Due expected = due.poll();
        if (expected == null
                || expected.receive.id() != completion.id()
                || expected.status != completion.status()) {
            throw failure(
                    "receive 0x%x with %s came instead of %s",
                    completion.id(), completion.status(), expected);
        }
        UnreliableMessage posting = expected.posting;
        if (posting == null) {
            pool.wipe(expected.receive);
        } else {
            check(expected, posting, completion);
        }
    }

    /// Lets it fail; all that is posted comes back.
    void stop() {
        if (closed || stopped) {
            return;
        }
        Receive kept = kept();
        if (kept != null) {
            owe(kept, CompletionStatus.FLUSHED, null);
        }
        flush();
        queuePair.modify(QueuePairState.ERROR, a -> {});
    }

    /// Ends it at once: nothing more is heard of it.
    void end() {
        if (stopped) {
            return;
        }
        Receive kept = kept();
        queuePair.close();
        closed = true;
        if (kept != null) {
            pool.wipe(kept);
        }
        if (shared == null) {
            pool.posted.clear();
        }
        sender().abandon();
    }

    void checkStopped() {
        require(due.isEmpty(), "%d receives never ended, first %s", due.size(), due.peek());
        int events = shared != null && !closed ? 1 : 0;
        require(lastRequests == events, "%d events of the last request", lastRequests);
        require(
                closed || shared != null || pool.isEmpty(),
                "memory was written where nothing was received");
    }

    void close() {
        sender().close();
        queuePair.close();
        regions.forEach(MemoryRegion::close);
        if (shared == null) {
            pool.region.close();
        }
    }

    @SuppressWarnings("AnnotateFormatMethod") // its annotation would be a dependency
    void require(boolean condition, String otherwise, @Nullable Object... values) {
        if (!condition) {
            throw failure(otherwise, values);
        }
    }

    @SuppressWarnings("AnnotateFormatMethod") // its annotation would be a dependency
    AssertionError failure(String what, @Nullable Object... values) {
        return new AssertionError(
                "%s %d.%d qp 0x%x at %d ns: %s"
                        .formatted(
                                service(),
                                host.index,
                                index,
                                number,
                                run.pair.nowNs(),
                                what.formatted(values)));
    }
}
