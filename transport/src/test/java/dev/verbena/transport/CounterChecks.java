package dev.verbena.transport;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.transport.common.Counters;
import java.util.List;

/// Checks that one packet changed exactly the expected counters, and no other.
final class CounterChecks {
    private final Counters counters;
    private final AttackTotals totals;
    private final Counter[] watched;
    private final long[] before;

    /// Those up to here protect; effects follow.
    private final int checks;

    CounterChecks(Counters counters, AttackTotals totals) {
        this.counters = counters;
        this.totals = totals;
        checks = totals.checks.size();
        List<Counter> effects = AttackChecks.EFFECTS;
        watched = new Counter[checks + effects.size()];
        for (int i = 0; i < watched.length; i++) {
            watched[i] = i < checks ? totals.checks.get(i) : effects.get(i - checks);
        }
        before = new long[watched.length];
    }

    /// Begins with a packet.
    void open() {
        for (int i = 0; i < watched.length; i++) {
            before[i] = counters.value(watched[i]);
        }
    }

    /// Fails unless the packet moved exactly these, each by one for each time it is named.
    void exactly(int attack, Counter... expected) {
        for (int i = 0; i < watched.length; i++) {
            long moved = counters.value(watched[i]) - before[i];
            if (moved != times(watched[i], expected)) {
                throw new AssertionError(
                        "expected " + List.of(expected) + " to stop it, but moved " + moved());
            }
            if (moved != 0 && i < checks) {
                totals.stopped(attack, i, moved);
            }
        }
    }

    private static int times(Counter counter, Counter... expected) {
        int times = 0;
        for (Counter each : expected) {
            if (each == counter) {
                times++;
            }
        }
        return times;
    }

    private String moved() {
        StringBuilder text = new StringBuilder("[");
        for (int i = 0; i < watched.length; i++) {
            long moved = counters.value(watched[i]) - before[i];
            if (moved != 0) {
                text.append(text.length() > 1 ? ", " : "").append(watched[i]);
                text.append(moved == 1 ? "" : " " + moved + " times");
            }
        }
        return text.append("]").toString();
    }
}
