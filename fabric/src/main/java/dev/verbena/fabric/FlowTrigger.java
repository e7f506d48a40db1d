package dev.verbena.fabric;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A trigger of a [FlowFile]: the flows that fire it, and the flows that it starts.
final class FlowTrigger {
    /// Which of the waiting flows start, and when.
    enum Kind {
        ONESHOT,
        MULTISHOT,
        BARRIER;

        static Kind of(String word) {
            return valueOf(word.toUpperCase(Locale.ROOT));
        }
    }

    private final long id;

    /// Flows that fire it when they are over at their sender.
    final List<Integer> sent = new ArrayList<>();

    /// Flows that fire it when they are over at their receiver.
    final List<Integer> received = new ArrayList<>();

    /// Flows that it starts.
    final List<Integer> waiting = new ArrayList<>();

    /// The line that describes it, or else the first that names it.
    private int line;

    private @Nullable Kind kind;
    private long count = 1;

    FlowTrigger(long id, int line) {
        this.id = id;
        this.line = line;
    }

    int line() {
        return line;
    }

    void define(Kind given, long times, int at) {
        if (kind != null) {
            throw new IllegalArgumentException(
                    "trigger %d is in line %d already".formatted(id, line + 1));
        }
        kind = given;
        count = times;
        line = at;
    }

    /// Sets what starts the flows that wait.
    ///
    /// @throws IllegalArgumentException when no flow fires it, none waits for it, or some would
    ///   never start
    void start(List<Flow> flows) {
        int ends = sent.size() + received.size();
        if (waiting.isEmpty()) {
            throw new IllegalArgumentException("no flow waits for trigger " + id);
        }
        if (ends == 0) {
            throw new IllegalArgumentException("no flow fires trigger " + id);
        }
        if (kind == Kind.MULTISHOT) {
            startInTurn(flows, ends);
            return;
        }
        if (count < 1 || count > ends) {
            throw new IllegalArgumentException(
                    "trigger %d is fired %s, not %d: use count 1 to %d"
                            .formatted(id, times(ends), count, ends));
        }
        After after = new After(sent, received, (int) count);
        for (int flow : waiting) {
            flows.set(flow, flows.get(flow).startingAfter(after));
        }
    }

    private void startInTurn(List<Flow> flows, int ends) {
        if (waiting.size() > ends) {
            throw new IllegalArgumentException(
                    "trigger %d is fired %s, and starts one of %d flows each time"
                            .formatted(id, times(ends), waiting.size()));
        }
        After first = new After(sent, received, 1);
        for (int i = 0; i < waiting.size(); i++) {
            After after = new After(first.sent(), first.received(), i + 1);
            flows.set(waiting.get(i), flows.get(waiting.get(i)).startingAfter(after));
        }
    }

    private static String times(int count) {
        return count == 1 ? "once" : count + " times";
    }
}
