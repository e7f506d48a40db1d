package dev.verbena.subnet;

import dev.verbena.wire.mad.Mad;
import java.lang.foreign.MemorySegment;
import java.util.function.LongConsumer;

/// Sends requests: those that wait, as far as the window lets it, and those that had no answer,
/// once more.
final class SmpSender {
    private final ManagerSettings settings;
    private final SmpWindow window;
    private final LongQueue tasks;

    /// Places of the window whose requests are to be sent again.
    private final LongQueue again = new LongQueue();

    /// @param tasks requests that were not sent yet
    SmpSender(ManagerSettings settings, LongQueue tasks) {
        this.settings = settings;
        this.tasks = tasks;
        window = new SmpWindow(settings.window());
    }

    SmpWindow window() {
        return window;
    }

    /// Forgets all requests.
    void clear() {
        window.clear();
        tasks.clear();
        again.clear();
    }

    /// Whether all requests are answered or given up.
    boolean isDone() {
        return window.isEmpty() && tasks.isEmpty() && again.isEmpty();
    }

    /// Requests in flight over a link that is gone go again by another route, at once.
    void resendLost(Requests requests, SubnetGraph graph) {
        for (int place = 0; place < window.size(); place++) {
            if (window.isInFlight(place)) {
                long task = window.task(place);
                int vertex = requests.vertex(SmpKind.of(task), SmpKind.place(task));
                if (vertex != SubnetGraph.NONE && !graph.isPathWhole(vertex)) {
                    window.hold(place);
                    again.add(place);
                }
            }
        }
    }

    /// Writes the next request, if there is one and room for it.
    boolean next(long nowNs, Requests requests, Tally tally, MemorySegment to) {
        return nextAgain(nowNs, requests, tally, to) || nextTask(nowNs, requests, tally, to);
    }

    private boolean nextAgain(long nowNs, Requests requests, Tally tally, MemorySegment to) {
        while (!again.isEmpty()) {
            int place = (int) again.take();
            if (!window.isHeld(place)) {
                // Its answer has come meanwhile.
                continue;
            }
            int retry = window.retries(place) + 1;
            if (requests.write(window.task(place), window.transaction(place), retry, to)) {
                window.again(place, nowNs + settings.timeoutNs());
                tally.requests++;
                tally.retries++;
                return true;
            }
            window.end(place);
        }
        return false;
    }

    private boolean nextTask(long nowNs, Requests requests, Tally tally, MemorySegment to) {
        while (!tasks.isEmpty() && !window.isFull()) {
            long task = tasks.take();
            int place = window.begin(task, nowNs + settings.timeoutNs());
            if (requests.write(task, window.transaction(place), 0, to)) {
                tally.requests++;
                return true;
            }
            window.end(place);
        }
        return false;
    }

    /// Sends again, or gives up, what is due.
    ///
    /// @param silent takes what was given up
    void expire(long nowNs, LongConsumer silent) {
        for (int place = 0; place < window.size(); place++) {
            if (window.isDue(place, nowNs)) {
                if (window.retries(place) < settings.retries()) {
                    window.hold(place);
                    again.add(place);
                } else {
                    long task = window.task(place);
                    window.end(place);
                    silent.accept(task);
                }
            }
        }
    }

    static boolean isAnswer(long task, Requests requests, MemorySegment mad) {
        SmpKind kind = SmpKind.of(task);
        return Mad.attributeId(mad, 0) == kind.attributeId()
                && Mad.attributeModifier(mad, 0) == requests.modifier(kind, task);
    }

    @Override
    public String toString() {
        return "%d tasks, %d to send again, in flight %s"
                .formatted(tasks.size(), again.size(), window);
    }
}
