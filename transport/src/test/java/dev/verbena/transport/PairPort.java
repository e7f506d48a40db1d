package dev.verbena.transport;

import dev.verbena.transport.carrier.Driver;
import dev.verbena.transport.carrier.InboundPacket;
import dev.verbena.transport.carrier.PortSettings;
import dev.verbena.verbs.Gid;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BooleanSupplier;

/// One device of a pair, with its carrier: drives the device by the contract of the package, as
/// well or as badly as a [CarrierScript] says.
final class PairPort implements Driver {
    final int index;
    final ScriptedWire wire;
    final CarrierScript carrier = new CarrierScript();
    final TransportDevice device;

    private final Pair pair;
    private final InboundPacket inbound = new InboundPacket();
    private final Set<Gid> groups = new HashSet<>();
    private boolean dirty = true;
    private boolean closed;
    private long linkFreeAtNs;
    private long deadlineNs = Long.MAX_VALUE;
    private long latenessNs;

    PairPort(Pair pair, int index, Pair.DeviceMaker maker) {
        this.pair = pair;
        this.index = index;
        wire = new ScriptedWire(pair, index);
        device = TransportDevice.create(maker.options(this, index));
    }

    @Override
    public long nowNs() {
        return pair.nowNs();
    }

    @Override
    public boolean turn() {
        return pair.turn();
    }

    @Override
    public void idle(long deadline, BooleanSupplier isDone) {
        pair.idle(deadline);
    }

    @Override
    public void wake() {
        dirty = true;
    }

    @Override
    public void joined(Gid group) {
        groups.add(group);
    }

    @Override
    public void left(Gid group) {
        groups.remove(group);
    }

    boolean isInGroups() {
        return !groups.isEmpty();
    }

    /// Whether packets to a group are brought here; where the wire floods, all are.
    boolean takes(Gid group) {
        return wire.script.floods || groups.contains(group);
    }

    /// Stops calling the device.
    void close() {
        closed = true;
        device.close();
    }

    /// Moves out what may go; returns whether anything did.
    boolean pump(long nowNs) {
        if (closed || !dirty || nowNs < linkFreeAtNs) {
            return false;
        }
        int mask = carrier.mask(nowNs);
        dirty = mask != CarrierScript.ALL_CLASSES && carrier.opensAtNs() == Long.MAX_VALUE;
        boolean any = false;
        boolean more = true;
        while (more) {
            int budget = carrier.budget();
            int yielded = transmit(nowNs, mask, budget);
            if (yielded == 0 && budget < CarrierScript.ONE_PACKET) {
                yielded = transmit(nowNs, mask, CarrierScript.ONE_PACKET);
            }
            any |= yielded > 0;
            more = yielded > 0 && nowNs >= linkFreeAtNs;
        }
        if (nowNs < linkFreeAtNs) {
            dirty = true;
        }
        return any;
    }

    private int transmit(long nowNs, int mask, int budget) {
        wire.open(mask, budget);
        int yielded = device.pollTransmit(nowNs, mask, budget, wire);
        if (yielded != wire.accepted() && device.portSettings().isActive()) {
            throw new AssertionError(
                    "pollTransmit says " + yielded + " packets, " + wire.accepted() + " came");
        }
        long bytes = budget - wire.budgetLeft();
        linkFreeAtNs = nowNs + bytes * carrier.psPerByte / 1000;
        return yielded;
    }

    /// When this port has to be looked at, at the latest.
    long nextNs(long nowNs) {
        if (closed) {
            return Long.MAX_VALUE;
        }
        long deadline = device.pollTimeout();
        if (deadline != deadlineNs) {
            deadlineNs = deadline;
            latenessNs = deadline == Long.MAX_VALUE ? 0 : carrier.lateness();
        }
        long next = deadline == Long.MAX_VALUE ? Long.MAX_VALUE : deadline + latenessNs;
        if (dirty && linkFreeAtNs > nowNs) {
            next = Math.min(next, linkFreeAtNs);
        }
        return Math.max(nowNs, Math.min(next, carrier.opensAtNs()));
    }

    /// Handles what the time demands; returns whether it demanded anything.
    boolean tick(long nowNs) {
        if (closed) {
            return false;
        }
        if (carrier.opensAtNs() <= nowNs) {
            carrier.mask(nowNs);
            dirty = true;
        }
        boolean due =
                deadlineNs != Long.MAX_VALUE
                        && deadlineNs + latenessNs <= nowNs
                        && device.pollTimeout() <= nowNs;
        if (due || carrier.isSpurious()) {
            device.handleTimeout(nowNs);
            dirty = true;
        }
        return due;
    }

    void deliver(long nowNs, Flight flight) {
        if (closed) {
            return;
        }
        if (flight.frameLength > 0 || pair.codec != null) {
            inbound.verdict(pair.frames().decode(flight, inbound.view()));
        } else if (flight.phantom) {
            inbound.verdict(
                    inbound.view()
                            .wrapPhantom(
                                    flight.header, 0, flight.headerLength, flight.payloadLength));
        } else {
            inbound.verdict(
                    inbound.view()
                            .wrapApart(
                                    flight.header,
                                    0,
                                    flight.headerLength,
                                    flight.payload,
                                    0,
                                    flight.payloadLength));
        }
        if (flight.damaged && flight.isResponse() && inbound.verdict().isOk()) {
            // In unchecked bytes, or twice the same bit: the packet is still valid.
            pair.log(index, flight.destQp()).answerDelivered(flight);
        }
        pair.signFrom(inbound, flight);
        inbound.ecn(flight.ecn);
        pair.observer.arriving(index, inbound);
        device.handlePacket(nowNs, inbound);
        pair.observer.arrived(index, inbound);
        dirty = true;
    }

    /// Packets find their way here by device, whatever their GIDs are.
    @Override
    public void portChanges(PortSettings before, PortSettings after) {}
}
