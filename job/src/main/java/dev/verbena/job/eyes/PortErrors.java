package dev.verbena.job.eyes;

import dev.verbena.collectives.trace.Message;
import dev.verbena.collectives.trace.Verdict;
import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.PortCounts;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Packets that arrived damaged at each port since this was made, by the counters that operators
/// read.
final class PortErrors {
    private static final List<String> COUNTERS = List.of("rx_crc_errors_phy", "PortRcvErrors");

    /// One damaged packet may be anything: cables have a bit error rate.
    private static final long LEAST = 2;

    /// A message that takes so many times as long as usual was sent again, or stood behind one that
    /// was.
    private static final double LATE = 8;

    private final Fabric fabric;
    private final long[] before;

    PortErrors(Fabric fabric) {
        this.fabric = fabric;
        before = fabric.ports().stream().mapToLong(PortErrors::errors).toArray();
    }

    private static long errors(PortCounts port) {
        return COUNTERS.stream().mapToLong(it -> port.counts().getOrDefault(it, 0L)).sum();
    }

    /// The cable with the most damaged packets.
    Optional<Verdict> lossyLink(List<Message> messages, Ways ways) {
        List<PortCounts> ports = fabric.ports();
        int worst = -1;
        long most = LEAST - 1;
        for (int i = 0; i < ports.size(); i += 2) {
            long damaged = since(ports, i) + since(ports, i + 1);
            if (damaged > most) {
                most = damaged;
                worst = i;
            }
        }
        if (worst < 0) {
            return Optional.empty();
        }
        String cable = Ways.cable(ports, worst);
        String sentence = "the cable %s loses packets: %,d arrived damaged".formatted(cable, most);
        return Optional.of(
                new Verdict(
                        Verdict.Kind.LOSSY_LINK,
                        cable,
                        sentence,
                        List.of(late(messages, ways, worst))));
    }

    private long since(List<PortCounts> ports, int number) {
        return errors(ports.get(number)) - before[number];
    }

    private static String late(List<Message> messages, Ways ways, int cable) {
        Map<Long, Double> usual = Message.usualNs(messages);
        int over = 0;
        int late = 0;
        int elsewhere = 0;
        for (Message each : messages) {
            boolean isLate = each.tookNs() > LATE * usual.getOrDefault(each.bytes(), 0.0);
            boolean isOver = false;
            for (int port : ways.of(each)) {
                isOver |= (port & ~1) == cable;
            }
            over += isOver ? 1 : 0;
            late += isOver && isLate ? 1 : 0;
            elsewhere += !isOver && isLate ? 1 : 0;
        }
        return ("%,d of %,d messages over it were under way more than %.0f times as long as"
                        + " usual, %,d of %,d others")
                .formatted(late, over, LATE, elsewhere, messages.size() - over);
    }
}
