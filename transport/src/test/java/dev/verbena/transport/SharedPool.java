package dev.verbena.transport;

import dev.verbena.testkit.Choices;
import dev.verbena.transport.work.TransportSharedReceives;
import dev.verbena.verbs.ReceiveBatch;
import dev.verbena.verbs.SharedReceiveQueue;

/// The shared receive queue of a host: posts receives ahead or late, arms limits, and knows which
/// receive each message takes.
final class SharedPool {
    /// Queue pairs that may hold a receive each, and messages that were not polled yet.
    private static final int IN_USE = 40;

    /// What distinguishes its receives from those of an endpoint.
    private static final long FIRST_ID = (0xFFFFL << 40) | (1L << 39);

    final SharedReceiveQueue queue;
    final ReceivePool pool;

    private final CampaignRun run;
    private final Choices choices;
    private final double lateReceives;
    private final long lateNs;
    private boolean waiting;
    private boolean closed;

    /// The limit as it must be armed, and events that are still to come.
    private int armed;

    private int owedEvents;

    SharedPool(CampaignRun run, Host host, int longest) {
        this.run = run;
        choices = run.plan.choices.split();
        // A message that never ends holds its receive, one for each queue pair at most.
        int least = run.plan.connections + run.plan.looseConnections + 1;
        int depth = least + choices.between(0, 20);
        lateReceives = choices.chance(0.3) ? 0.3 : 0;
        lateNs = choices.between(1, 200_000);
        queue = host.domain.sharedReceiveQueue(depth);
        pool = new ReceivePool(host, choices, depth, IN_USE, longest, FIRST_ID);
    }

    static boolean isShared(long id) {
        return id >>> 40 == FIRST_ID >>> 40;
    }

    /// Posts receives up to the depth, or plans to do so later; now and then arms a limit.
    void advance() {
        if (closed) {
            return;
        }
        if (choices.chance(0.05)) {
            arm(choices.between(0, pool.depth));
        }
        if (waiting || pool.missing() == 0) {
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
        int more = Math.min(pool.missing(), queue.room());
        if (more == 0 || closed) {
            return;
        }
        ReceiveBatch batch = queue.receives();
        for (int i = 0; i < more; i++) {
            pool.add(batch);
        }
        if (!batch.post()) {
            throw new AssertionError("%s: %d receives do not fit".formatted(queue, more));
        }
        run.progress();
    }

    /// Arms a limit; the model says at once whether there will be an event.
    private void arm(int limit) {
        armed = limit;
        checkLimit();
        queue.limit(limit);
    }

    private void checkLimit() {
        if (pool.posted.size() < armed) {
            owedEvents++;
            armed = 0;
        }
    }

    /// How many were taken that the model does not know of.
    int taken() {
        return pool.posted.size() - ((TransportSharedReceives) queue).receiveQueue().count();
    }

    Receive take() {
        Receive receive = pool.posted.remove();
        checkLimit();
        return receive;
    }

    /// The event of a limit came.
    void limitReached(int number) {
        if (number != queue.number() || --owedEvents < 0) {
            throw new AssertionError("%s: an event without a limit".formatted(queue));
        }
    }

    /// What must hold between any two packets.
    void check() {
        int least = pool.depth - pool.posted.size();
        boolean hasRoom = queue.room() <= least && queue.room() >= least - pool.inUse();
        if (!closed && (taken() != 0 || queue.limit() != armed || !hasRoom)) {
            throw new AssertionError(
                    "%s: %d receives too few, limit %d instead of %d, room %d"
                            .formatted(queue, taken(), queue.limit(), armed, queue.room()));
        }
    }

    /// After all its queue pairs have failed: nothing of it was flushed, nothing is left in it.
    void checkEnd() {
        check();
        if (owedEvents != 0 || pool.inUse() != 0 || !pool.isEmpty()) {
            throw new AssertionError(
                    "%s: %d events never came, %d receives in use, memory %s"
                            .formatted(
                                    queue,
                                    owedEvents,
                                    pool.inUse(),
                                    pool.isEmpty() ? "empty" : "written"));
        }
    }

    void close() {
        closed = true;
        queue.close();
        pool.region.close();
    }
}
