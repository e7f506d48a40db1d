package dev.verbena.transport;

import dev.verbena.transport.carrier.Driver;
import dev.verbena.transport.carrier.InboundPacket;
import dev.verbena.transport.carrier.OutboundPacket;
import dev.verbena.transport.carrier.Seal;
import dev.verbena.transport.carrier.TransmitSink;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.spi.Baton;
import dev.verbena.verbs.spi.VirtualTime;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// A device's place on a network in virtual time, see [Turns]. A carrier extends it by how packets
/// are taken from the device.
///
/// @param <P> the class that extends it
public abstract class TurnPort<P extends TurnPort<P>> implements Driver, TransmitSink {
    private static final int ALL_CLASSES = 0xFFFF;

    /// Room on the link in one turn: enough for a burst, little enough that answers mix with it.
    private static final int TURN_BYTES = 1 << 16;

    private static final int MAX_PACKET_BYTES =
            OutboundPacket.MAX_HEADER_LENGTH + 4096 + Seal.LENGTH_MAX;

    /// A turn of so many packets had room for one more, and has sent all there were.
    private static final int TURN_PACKETS = TURN_BYTES / MAX_PACKET_BYTES - 1;

    private final Turns<P> turns;
    private final Gid gid;
    private @Nullable TransportDevice device;
    private boolean isBusy;
    private boolean isClosed;

    /// @param gid the address of the device
    protected TurnPort(Turns<P> turns, Gid gid) {
        this.turns = turns;
        this.gid = gid;
    }

    public final Gid gid() {
        return gid;
    }

    /// The device needs its port before the port its device.
    final void device(TransportDevice made) {
        device = made;
    }

    public final TransportDevice device() {
        return Objects.requireNonNull(device, "a port has its device before it is used");
    }

    public final boolean isClosed() {
        return isClosed;
    }

    /// Hands a packet to the device, unless that is closed.
    public final void receive(InboundPacket packet) {
        if (!isClosed) {
            device().handlePacket(turns.nowNs(), packet);
            wake();
        }
    }

    /// Sends packets that wait; returns whether there were any.
    final boolean transmit(long nowNs) {
        isBusy = false;
        TransportDevice sending = device();
        sending.holdMemory();
        int packets;
        try {
            try {
                packets = sending.pollTransmit(nowNs, ALL_CLASSES, TURN_BYTES, this);
            } finally {
                handOver();
            }
        } finally {
            // Listeners run here, and may close the device.
            sending.letMemoryGo();
        }
        if (packets > TURN_PACKETS) {
            wake();
        }
        return packets > 0;
    }

    /// The device has sent what it could in this turn. Payload that was accepted and is not
    /// [OutboundPacket#isReadOnce] stays where it is until this returns.
    protected void handOver() {}

    final void handleTimeout(long nowNs) {
        if (device().pollTimeout() <= nowNs) {
            device().handleTimeout(nowNs);
            wake();
        }
    }

    @Override
    public final long nowNs() {
        return turns.nowNs();
    }

    @Override
    public final Optional<VirtualTime> virtualTime() {
        return Optional.of(turns);
    }

    @Override
    public final boolean turn() {
        return turns.turn();
    }

    @Override
    public final void polledInVain() {
        turns.polledInVain();
    }

    @Override
    public final void idle(long deadlineNs, BooleanSupplier isDone) {
        turns.await(deadlineNs, () -> isClosed || isDone.getAsBoolean());
    }

    @Override
    public final void rouse(Thread waiter) {
        Baton baton = turns.baton();
        if (baton != null) {
            baton.rouse(waiter);
        }
    }

    @Override
    public final void wake() {
        if (!isBusy && !isClosed) {
            isBusy = true;
            turns.busy(self());
        }
    }

    @Override
    public final void joined(Gid group) {
        turns.join(group, self());
    }

    @Override
    public final void left(Gid group) {
        turns.leave(group, self());
    }

    @Override
    public void closed() {
        isClosed = true;
        turns.closed(self());
    }

    @SuppressWarnings("unchecked") // what P is for
    private P self() {
        return (P) this;
    }
}
