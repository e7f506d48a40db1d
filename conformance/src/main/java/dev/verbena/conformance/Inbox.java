package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.testkit.Hints;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CompletionStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// A completion queue and the completions polled from it, for tests that wait for completions.
public final class Inbox {
    /// Far longer than anything that happens at all takes. Where much is missing still, less of it
    /// shows so sooner.
    public static final Duration LIMIT =
            Duration.ofSeconds(Integer.getInteger("verbena.conformance.seconds", 30));

    /// Long enough for an unwanted event to occur, if it was in progress.
    public static final Duration QUIET = Duration.ofMillis(20);

    /// Long enough for a packet to be processed where nothing reports it, although the peer may
    /// have had no processor for a while.
    static final Duration LOOKED_AT = Duration.ofMillis(200);

    /// Fewer than a send queue holds, and enough for any message that is not always lost.
    private static final int TRIES = 100;

    private final World world;
    private final CompletionQueue queue;
    private final List<Seen> seen = new ArrayList<>();

    public Inbox(World world, CompletionQueue queue) {
        this.world = world;
        this.queue = queue;
    }

    public CompletionQueue queue() {
        return queue;
    }

    /// The next completion; the test fails when none comes.
    public Seen next() {
        return take(1).getFirst();
    }

    /// The next so many completions; the test fails when fewer come.
    public List<Seen> take(int count) {
        world.advanceUntil(() -> drained() >= count, LIMIT);
        if (seen.size() < count) {
            throw new AssertionError(
                    "%d of %d completions came%s: %s".formatted(seen.size(), count, hints(), seen));
        }
        List<Seen> taken = List.copyOf(seen.subList(0, count));
        seen.subList(0, count).clear();
        return taken;
    }

    /// All completions that there are by now.
    public List<Seen> takeAll() {
        return take(drained());
    }

    /// Takes so many completions and fails the test unless all of them are successes.
    public List<Seen> takeSuccesses(int count) {
        List<Seen> taken = take(count);
        assertThat(taken).extracting(Seen::status).containsOnly(CompletionStatus.SUCCESS);
        return taken;
    }

    /// The completion of a message that `send` makes a peer send with a service that may lose it:
    /// in a world with loss, it is sent again until it arrives, and late copies are ignored.
    public Seen arrival(Runnable send) {
        boolean lossless = world.lacks(Feature.LOSSLESS).isEmpty();
        send.run();
        if (lossless) {
            return next();
        }
        for (int i = 0; i < TRIES && !world.advanceUntil(() -> drained() > 0, QUIET); i++) {
            send.run();
        }
        world.advance(QUIET);
        return next();
    }

    /// Takes completions until one with this id, and returns that.
    public Seen until(long id) {
        Seen taken = next();
        while (taken.id() != id) {
            taken = next();
        }
        return taken;
    }

    /// Fails the test when there is a completion now or in the near future.
    public void staysEmpty() {
        world.advance(QUIET);
        drained();
        assertThat(seen).as("completions").isEmpty();
    }

    private String hints() {
        return Hints.of(world.device(0)) + Hints.of(world.device(1));
    }

    private int drained() {
        queue.poll(Integer.MAX_VALUE, completion -> seen.add(Seen.of(completion)));
        return seen.size();
    }
}
