package dev.verbena.transport;

import dev.verbena.testkit.Choices;
import dev.verbena.transport.carrier.OutboundPacket;
import dev.verbena.transport.carrier.TransmitSink;
import dev.verbena.wire.Bth;
import dev.verbena.wire.Opcode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The wire out of one port: takes packets from a device and decides what becomes of each.
final class ScriptedWire implements TransmitSink {
    /// A packet as it left, for tests that look at the wire.
    record Seen(long timeNs, int from, int destQp, String text) {}

    /// A script that lets this many packets pile up has gone wrong.
    private static final int FLIGHTS_MAX = 1 << 20;

    final WireScript script = new WireScript();
    final WireCounts counts = new WireCounts();

    private final Pair pair;
    private final int from;
    private final OutboundPacket next;
    private final List<Flight> held = new ArrayList<>();
    private Flight current;
    private long lastArrivalNs;

    // What the present call of pollTransmit may yield.
    private int classMask;
    private long budgetLeft;
    private int accepted;

    ScriptedWire(Pair pair, int from) {
        this.pair = pair;
        this.from = from;
        current = pair.flights.take();
        next = new OutboundPacket(current.header, 0);
    }

    /// Says what the call that follows may yield.
    void open(int mask, int budgetBytes) {
        classMask = mask;
        budgetLeft = budgetBytes;
        accepted = 0;
    }

    int accepted() {
        return accepted;
    }

    long budgetLeft() {
        return budgetLeft;
    }

    @Override
    public OutboundPacket next() {
        next.headerTo(current.header, 0);
        return next;
    }

    @Override
    public void accept(OutboundPacket packet) {
        Flight flight = current;
        check(packet);
        pair.observer.leaving(from, packet);
        fill(flight, packet);
        current = pair.flights.take();
        accepted++;
        budgetLeft -= packet.length();
        long index = counts.sent++;
        counts.payloadBytes += packet.payloadLength();
        if (packet.path().address().gid().isMulticast()) {
            multiply(flight, packet.queuePair());
            return;
        }
        if (flight.port >= pair.ports.size()) {
            loseAddressed(flight, packet.queuePair());
            return;
        }
        QueuePairLog log = pair.logOf(flight, packet.queuePair());
        if (flight.isResponse()) {
            log.answersSent++;
        } else {
            log.requestSent(flight);
        }
        WireScript.Fate fate = script.rule.of(flight, index);
        pair.trace(from, flight, fate);
        switch (fate) {
            case PASS -> carry(flight, log);
            case DROP -> lose(flight, log);
            case HOLD -> {
                log.harm();
                flight.harmed = true;
                held.add(flight);
            }
            case DUPLICATE -> {
                log.harm();
                duplicate(flight);
                deliver(flight, script.latencyNs);
            }
        }
    }

    /// Gives every port that takes packets of the group a copy, each with a fate of its own.
    private void multiply(Flight flight, int sender) {
        QueuePairLog log = pair.log(from, sender);
        flight.port = from;
        pair.trace(from, flight, WireScript.Fate.PASS);
        for (PairPort port : pair.ports) {
            if (port.takes(flight.path().address().gid())) {
                Flight copy = pair.flights.take();
                copy.copyFrom(flight);
                copy.port = port.index;
                carry(copy, log);
            }
        }
        pair.flights.give(flight);
    }

    /// Lets everything go that was held, now, in the order in which it was sent.
    void release() {
        for (Flight flight : held) {
            deliver(flight, script.latencyNs);
        }
        held.clear();
    }

    /// Forgets everything that was held.
    void forget() {
        held.clear();
    }

    /// What the carrier contract demands of every packet.
    private void check(OutboundPacket packet) {
        Opcode opcode = Opcode.of(Bth.opcode(packet.header(), packet.headerAt()));
        String problem = null;
        if (!opcode.isKnown() || packet.headerLength() != Bth.LENGTH + opcode.headersLength()) {
            problem = "headers that do not belong to it";
        } else if (packet.length() > budgetLeft) {
            problem = "more bytes than the budget has";
        } else if ((classMask >> packet.path().trafficClass() & 1) == 0) {
            problem = "a class that is closed";
        } else if (Bth.padCount(packet.header(), packet.headerAt()) != packet.padCount()) {
            problem = "a wrong pad count";
        }
        if (problem != null) {
            throw new AssertionError(opcode + " was sent with " + problem);
        }
    }

    private void fill(Flight flight, OutboundPacket packet) {
        flight.from = from;
        flight.path = packet.path();
        flight.port = pair.portOf(packet.path());
        flight.ecn = packet.ecn();
        flight.headerLength = packet.headerLength();
        flight.payloadLength = packet.payloadLength();
        flight.phantom = packet.isPhantom();
        flight.frameLength = 0;
        flight.harmed = false;
        flight.damaged = false;
        @Nullable FrameCodec codec = pair.codec;
        if (codec != null) {
            codec.encode(flight, packet);
        } else if (!flight.phantom) {
            flight.room(flight.payloadLength);
            packet.copyPayload(flight.payload, 0);
        }
    }

    private void carry(Flight flight, QueuePairLog log) {
        if (script.isKilled(flight, pair.nowNs())) {
            lose(flight, log);
            return;
        }
        boolean mercy = script.mercyAfter > 0 && log.resends >= script.mercyAfter;
        Choices choices = script.choices;
        long delay =
                script.latencyNs
                        + script.delay.applyAsLong(flight)
                        + (script.jitterNs == 0 ? 0 : choices.between(0, script.jitterNs));
        if (mercy) {
            deliver(flight, delay);
            return;
        }
        if (chance(script.drop)) {
            lose(flight, log);
            return;
        }
        if (chance(script.duplicate)) {
            log.harm();
            duplicate(flight);
        }
        @Nullable FrameCodec codec = pair.codec;
        if (codec != null && chance(script.corrupt)) {
            counts.corrupted++;
            log.lost(flight);
            flight.harmed = true;
            flight.damaged = true;
            codec.damage(flight, choices);
        }
        if (chance(script.reorder)) {
            counts.reordered++;
            log.harm();
            flight.harmed = true;
            arriveAt(flight, pair.nowNs() + delay + choices.between(0, script.reorderNs));
        } else {
            deliver(flight, delay);
        }
    }

    private boolean chance(double probability) {
        return probability > 0 && script.choices.chance(probability);
    }

    /// No device has its destination address.
    private void loseAddressed(Flight flight, int sender) {
        if (flight.isResponse()) {
            counts.dropped++;
            pair.flights.give(flight);
            return;
        }
        QueuePairLog log = pair.log(from, sender);
        log.requestSent(flight);
        lose(flight, log);
    }

    private void lose(Flight flight, QueuePairLog log) {
        counts.dropped++;
        log.lost(flight);
        pair.flights.give(flight);
    }

    private void duplicate(Flight flight) {
        counts.duplicated++;
        Flight copy = pair.flights.take();
        copy.copyFrom(flight);
        copy.harmed = true;
        arriveAt(
                copy,
                pair.nowNs() + script.latencyNs + script.choices.between(0, script.reorderNs));
    }

    /// Behind everything that was sent before and was not reordered.
    private void deliver(Flight flight, long delayNs) {
        if (script.overtakes) {
            arriveAt(flight, pair.nowNs() + delayNs);
            return;
        }
        lastArrivalNs = Math.max(lastArrivalNs, pair.nowNs() + delayNs);
        arriveAt(flight, lastArrivalNs);
    }

    private void arriveAt(Flight flight, long timeNs) {
        if (pair.flights.size() == FLIGHTS_MAX) {
            throw new AssertionError(FLIGHTS_MAX + " packets are under way");
        }
        pair.flights.add(flight, timeNs);
    }
}
