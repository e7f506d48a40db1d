package dev.verbena.subnet;

import dev.verbena.wire.mad.MadMethod;
import java.util.BitSet;

/// What was sent to nodes in a round and had no answer, after all retries.
final class Unanswered {
    private final BitSet ports = new BitSet();
    private boolean isAny;

    void clear() {
        ports.clear();
        isAny = false;
    }

    void add(SmpKind kind, int place) {
        isAny |= kind.method() == MadMethod.SET;
        if (kind == SmpKind.SET_PORT || kind == SmpKind.ACTIVATE) {
            ports.set(place);
        }
    }

    /// Ports by slot whose settings may not be in force.
    BitSet ports() {
        return ports;
    }

    boolean isAny() {
        return isAny;
    }
}
