package dev.verbena.job.eyes;

import dev.verbena.collectives.trace.Message;
import dev.verbena.collectives.trace.Verdict;
import dev.verbena.fabric.Cable;
import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.PortCounts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Finds a cable that is slower than it should be.
///
/// A message may take long because it shares a link with others: then that link is full, there or
/// on the way back, where its acknowledgement waits. Where a message took long and no link was
/// full, it starved: one of them is slow. The slow one is on the way of all such messages, and no
/// message over it is ever quick; links that they share by chance have others too.
///
/// What waits behind a slow link fills the buffers before it, so that links toward it look slow as
/// well; but those wait for credits or are paused, and it does not. And where one and the same flow
/// is all that passes two links, the queue is before the slow one.
final class SlowLinks {
    /// A link is full from here on: headers, acknowledgements and gaps between messages take the
    /// rest.
    private static final double FULL = 0.5;

    /// Half of the messages over a slow link see less than this share of its rate in use. So a link
    /// must have lost more than half of its rate to be named.
    private static final double QUICK = 0.4;

    /// Share of the time of messages over a slow link in which they starved.
    private static final double STARVED = 0.4;

    /// The same where there are many flows, because chance does not make all of them slow.
    private static final double STARVED_OF_MANY = 0.3;

    private static final int MANY_FLOWS = 4;

    /// A port that is held back for more of the time does not wait for its own link.
    private static final double HELD = 0.1;

    /// What a link keeps of its score that has no queue before it: in a host none shows.
    private static final double UNSEEN = 0.2;

    /// Messages over a link, at least.
    private static final int LEAST = 8;

    private final Fabric fabric;
    private final Ways ways;
    private final PortWaits waits;
    private final Map<Integer, Load> loads = new HashMap<>();
    private final Load idle = new Load();

    /// By port.
    private final Map<Integer, LinkTally> tallies = new HashMap<>();

    /// The longest queue before a link that may be slow.
    private long longestBytes;

    SlowLinks(Fabric fabric, Ways ways, PortWaits waits, List<Message> messages) {
        this.fabric = fabric;
        this.ways = ways;
        this.waits = waits;
        Map<Integer, Long> latencies = latencies(messages);
        List<Transit> transits = new ArrayList<>();
        for (Message each : messages) {
            int[] way = ways.of(each);
            if (way.length > 0) {
                long latencyNs = latencies.getOrDefault(way.length, 0L);
                transits.add(Transit.of(each, way, latencyNs, bytesNs(each, way)));
            }
        }
        for (Transit each : transits) {
            for (int port : each.way()) {
                loads.computeIfAbsent(port, _ -> new Load()).add(each);
            }
        }
        loads.values().forEach(Load::close);
        transits.forEach(this::judge);
    }

    /// By number of ports, the least that a message took beside its bytes.
    private Map<Integer, Long> latencies(List<Message> messages) {
        Map<Integer, Long> latencies = new HashMap<>();
        for (Message each : messages) {
            int[] way = ways.of(each);
            if (way.length > 0) {
                long beside = Math.max(0, each.tookNs() - bytesNs(each, way));
                latencies.merge(way.length, beside, Math::min);
            }
        }
        return latencies;
    }

    /// How long the bytes of a message take on the slowest of its links, where all are sound.
    private long bytesNs(Message message, int[] way) {
        double slowest = Double.MAX_VALUE;
        for (int port : way) {
            slowest = Math.min(slowest, bytesPerNs(port));
        }
        return (long) Math.ceil(message.bytes() / slowest);
    }

    private double bytesPerNs(int port) {
        Cable usual = fabric.settings().cable();
        return fabric.topology().cablePlan(port / 2).over(usual).rate().bitsPerSecond() / 8e9;
    }

    private void judge(Transit transit) {
        double fullest =
                Math.max(
                        fullest(transit.way(), transit),
                        fullest(ways.back(transit.message()), transit));
        for (int port : transit.way()) {
            tallies.computeIfAbsent(port, _ -> new LinkTally())
                    .add(transit, fullest < FULL, use(port, transit));
        }
    }

    private double fullest(int[] way, Transit transit) {
        double fullest = 0;
        for (int port : way) {
            fullest = Math.max(fullest, use(port, transit));
        }
        return fullest;
    }

    /// Share of a link's rate that was in use during a transit.
    private double use(int port, Transit transit) {
        double bytes = loads.getOrDefault(port, idle).bytesDuring(transit);
        return bytes / transit.tookNs() / bytesPerNs(port);
    }

    Optional<Verdict> verdict() {
        List<Integer> slow = tallies.keySet().stream().filter(this::isSlow).toList();
        longestBytes = slow.stream().mapToLong(this::queueBytes).max().orElse(0);
        return slow.stream()
                .max(Comparator.comparingDouble(this::ofCable).thenComparingDouble(this::score))
                .map(port -> verdict(port, tally(port)));
    }

    private LinkTally tally(int port) {
        return tallies.getOrDefault(port, LinkTally.NONE);
    }

    private boolean isSlow(int port) {
        LinkTally tally = tally(port);
        double least = tally.flows() >= MANY_FLOWS ? STARVED_OF_MANY : STARVED;
        return tally.messages() >= LEAST && tally.use() < QUICK && tally.starvedShare() >= least;
    }

    /// The score of a port and of that at the other end of its cable: what is wrong with a cable
    /// mostly is so in both directions. One that carries messages well speaks against it.
    private double ofCable(int port) {
        int other = port ^ 1;
        boolean isAgainst = tally(other).messages() >= LEAST && !isSlow(other);
        double both = score(port) + (isSlow(other) ? score(other) : 0);
        return (isAgainst ? both / 2 : both) * queue(port);
    }

    /// Most where the longest queue of all is before this cable, in one direction or the other.
    private double queue(int port) {
        long own = queueBytes(port);
        long both = isSlow(port ^ 1) ? Math.max(own, queueBytes(port ^ 1)) : own;
        return UNSEEN + (1 - UNSEEN) * both / Math.max(1, longestBytes);
    }

    /// What waits at a port that is held back waits for another link.
    private long queueBytes(int port) {
        return waits.share(port) > HELD ? 0 : waits.peakBytes(port);
    }

    private double score(int port) {
        LinkTally tally = tally(port);
        double share = tally.starvedShare();
        return tally.starvedNs() * share * share * (1 - waits.share(port));
    }

    private Verdict verdict(int port, LinkTally tally) {
        List<PortCounts> ports = fabric.ports();
        String cable = Ways.cable(ports, port);
        double gbits = bytesPerNs(port) * 8;
        String sentence =
                String.format(
                        Locale.ROOT,
                        "the cable %s is slow: it moved %.0f of %.0f Gb/s while messages over it"
                                + " waited, and no other link on their way was full",
                        cable,
                        tally.use() * gbits,
                        gbits);
        List<String> reasons =
                List.of(
                        "%,d messages from %s port %d toward %s, %s of their time so, in %d flows"
                                .formatted(
                                        tally.messages(),
                                        ports.get(port).node(),
                                        ports.get(port).port(),
                                        ports.get(port).neighbour(),
                                        String.format(
                                                Locale.ROOT, "%.0f %%", 100 * tally.starvedShare()),
                                        tally.flows()));
        return new Verdict(Verdict.Kind.SLOW_LINK, cable, sentence, reasons);
    }
}
