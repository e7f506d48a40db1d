package dev.verbena.transport.cm;

import dev.verbena.verbs.Address;
import dev.verbena.verbs.Gid;
import dev.verbena.wire.mad.CmMad;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;

/// A machine, its sent messages, and the events of its program.
abstract class CmSide {
    /// Longer than all timers.
    static final long LONG_NS = 300_000_000_000L;

    static final Address LEFT = Address.to(Gid.parse("192.0.2.1"));
    static final Address RIGHT = Address.to(Gid.parse("192.0.2.2"));
    static final Address STRANGER = Address.to(Gid.parse("192.0.2.66"));

    final Deque<CmMad> sent = new ArrayDeque<>();
    final List<String> told = new ArrayList<>();
    final CmMachine machine;

    CmSide(long seed, CmSettings settings) {
        machine =
                new CmMachine(
                        settings, new SplittableRandom(seed), (to, message) -> sent.add(message));
    }
}
