package dev.verbena.transport;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.transport.carrier.InboundPacket;
import dev.verbena.transport.common.Counters;
import java.util.EnumSet;
import java.util.Set;

/// Compares the counters of a device after one packet with those of the model.
final class CounterModel {
    /// Those that tell what became of a packet that came in.
    private static final Set<Counter> WATCHED =
            EnumSet.range(Counter.DROPPED_MALFORMED, Counter.OUT_OF_SEQUENCE);

    static {
        WATCHED.add(Counter.TOO_LONG_MESSAGE);
        WATCHED.add(Counter.ESTABLISHED_BY_PACKET);
        WATCHED.add(Counter.LOCAL_PROTECTION);
    }

    private final Counters counters;
    private final long[] due = new long[Counter.values().length];
    private boolean open;

    CounterModel(Counters counters) {
        this.counters = counters;
    }

    /// A packet is about to be handed in.
    @SuppressWarnings("EnumOrdinal") // an index into an array of this process, never stored
    void open() {
        open = true;
        for (Counter counter : WATCHED) {
            due[counter.ordinal()] = counters.value(counter);
        }
    }

    /// It will be counted here.
    @SuppressWarnings("EnumOrdinal") // see above
    void owe(Counter counter) {
        due[counter.ordinal()]++;
    }

    /// It was handed in.
    @SuppressWarnings("EnumOrdinal") // see above
    void settle(InboundPacket packet) {
        if (!open) {
            return;
        }
        open = false;
        for (Counter counter : WATCHED) {
            long more = counters.value(counter) - due[counter.ordinal()];
            if (more != 0) {
                throw new AssertionError(
                        "%s psn %d to qp 0x%x: %s counted %d more than the model"
                                .formatted(
                                        packet.view().opcode(),
                                        packet.view().psn(),
                                        packet.view().destQp(),
                                        counter,
                                        more));
            }
        }
    }
}
