package dev.verbena.scenario;

import dev.verbena.fabric.FabricKind;
import dev.verbena.fabric.FabricSettings;
import dev.verbena.fabric.Topology;
import dev.verbena.transport.TransportOptions;
import dev.verbena.transport.control.ControlFacts;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.QueuePairAttributes;
import java.util.Locale;
import java.util.Map;

/// A fabric that can be simulated.
///
/// @param line what congestion control knows of hosts
/// @param qpTimeout of queue pairs, as an exponent
/// @param watts of its switches, typically; 0 where that is not known
public record Network(
        Topology topology,
        FabricSettings settings,
        ControlFacts line,
        CongestionKnobs congestion,
        int qpTimeout,
        double watts) {
    private static final int ACK_EVERY = 64;
    private static final int WINDOW_PACKETS = 1 << 20;

    public boolean isInfiniBand() {
        return settings.layer() == LinkLayer.INFINIBAND;
    }

    /// Sets the options of devices that carry flows.
    public void flowOptions(TransportOptions options) {
        options(options.ackRequestEvery(ACK_EVERY).windowPackets(WINDOW_PACKETS));
    }

    /// Sets the options of every device.
    public void options(TransportOptions options) {
        congestion.apply(options, line);
    }

    /// Changes every connection of a flow.
    public void connect(QueuePairAttributes connection) {
        connection.timeout(qpTimeout);
    }

    /// One line, such as `RoCE v2, ecmp, lossless at 400 Gb/s, MTU 4096`.
    public String text() {
        String kind =
                switch (settings.kind()) {
                    case FabricKind.InfiniBand ib ->
                            "InfiniBand, "
                                    + (ib.cutThrough() ? "cut through" : "store and forward");
                    case FabricKind.Ethernet roce ->
                            "RoCE v2, %s, %s%s"
                                    .formatted(
                                            roce.spread().name().toLowerCase(Locale.ROOT),
                                            roce.buffer().lossless() == 0 ? "lossy" : "lossless",
                                            congestion.isOn() ? ", " + congestion.name() : "");
                };
        return "%s at %s, MTU %d".formatted(kind, rates(), settings.mtu());
    }

    private String rates() {
        Map<?, Integer> rates = topology.rates(settings.cable());
        return rates.keySet().stream()
                .map(Object::toString)
                .reduce((left, right) -> left + " and " + right)
                .orElse("");
    }
}
