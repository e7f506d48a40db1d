package dev.verbena.testkit.junit;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/// Ordinary threads, on devices whose time is real.
final class AtOnce implements ThreadOrder {
    private final ConcurrentLinkedQueue<AssertionError> failures = new ConcurrentLinkedQueue<>();

    /// Threads that were interrupted because the test is over: what they throw then says nothing.
    private final Set<Member> stopped = ConcurrentHashMap.newKeySet();

    @Override
    public void starts(Member member) {}

    @Override
    public void run(Member member) {
        try {
            member.body.run();
        } catch (Throwable thrown) {
            if (!stopped.contains(member)) {
                String message = "thread %s failed: %s".formatted(member.getName(), thrown);
                failures.add(new AssertionError(message, thrown));
            }
        }
    }

    @Override
    public boolean join(Member member, Duration limit) {
        try {
            return member.join(limit);
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public @Nullable Throwable finish(List<Member> members, @Nullable Throwable thrown) {
        @Nullable Throwable ended = thrown;
        for (Member member : members) {
            if (member.isDaemon() || ended != null) {
                stopped.add(member);
                member.interrupt();
            }
            if (!join(member, RdmaGroup.LIMIT) && ended == null) {
                ended =
                        RdmaThreads.unended(
                                member,
                                "thread %s still runs %s after the test's end"
                                        .formatted(
                                                member.getName(), RdmaGroup.text(RdmaGroup.LIMIT)));
            }
        }
        AssertionError first = failures.poll();
        if (first == null) {
            return ended;
        }
        failures.forEach(first::addSuppressed);
        if (thrown != null) {
            first.addSuppressed(thrown);
        }
        return first;
    }
}
