package example.control;

import dev.verbena.transport.control.CongestionControl;
import dev.verbena.transport.control.ControlFacts;
import dev.verbena.transport.control.ControlProvider;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/// Congestion control of one's own: keeps a few packets of each queue pair in the queues of the
/// network, after TCP Vegas. `META-INF/services` names this class, and that is all.
public final class Vegas implements ControlProvider {
    /// Acknowledgements of all queue pairs, so that a test can see that it was used.
    public static final AtomicLong ACKNOWLEDGEMENTS = new AtomicLong();

    /// For `ServiceLoader`.
    public Vegas() {}

    @Override
    public String name() {
        return "vegas";
    }

    @Override
    public Map<String, Double> parameters() {
        return Map.of("least", 0.5, "most", 1.5);
    }

    @Override
    public boolean needsMarks() {
        return false;
    }

    @Override
    public CongestionControl make(ControlFacts facts, Map<String, Double> parameters) {
        double least = parameters.get("least");
        double most = parameters.get("most");
        if (!(least > 0 && least < most)) {
            throw new IllegalArgumentException(
                    "vegas keeps %s to %s packets: use more than 0, and less than the most"
                            .formatted(least, most));
        }
        return new Window(facts, least, most);
    }

    /// The window of one queue pair.
    private static final class Window implements CongestionControl {
        private final ControlFacts facts;
        private final double least;
        private final double most;
        private double packets;
        private double baseNs;
        private long judgedNs;

        Window(ControlFacts facts, double least, double most) {
            this.facts = facts;
            this.least = least;
            this.most = most;
            packets = Math.max(1, facts.bandwidthDelayBytes() / facts.mtu());
            baseNs = facts.roundTripNs();
        }

        @Override
        public void sent(long nowNs, int bytes) {}

        @Override
        public void acknowledged(long nowNs, int bytes, long roundTripNs, boolean isMarked) {
            ACKNOWLEDGEMENTS.incrementAndGet();
            // Once in a round trip: what was changed shows only then.
            if (roundTripNs == 0 || nowNs - judgedNs < roundTripNs) {
                return;
            }
            judgedNs = nowNs;
            baseNs = Math.min(baseNs, roundTripNs);
            double queued = packets * (1 - baseNs / roundTripNs);
            if (queued > 2 * most) {
                packets *= baseNs / roundTripNs;
            } else if (queued > most) {
                packets--;
            } else if (queued < least) {
                packets++;
            }
            packets = Math.max(1, packets);
        }

        @Override
        public void lost(long nowNs) {
            packets = Math.max(1, packets / 2);
        }

        @Override
        public long windowBytes() {
            return (long) (packets * facts.mtu());
        }
    }
}
