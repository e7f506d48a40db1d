package dev.verbena.transport;

import dev.verbena.transport.carrier.Driver;
import dev.verbena.transport.carrier.OutboundPacket;
import dev.verbena.transport.carrier.TransmitSink;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.PortAttributes;
import dev.verbena.verbs.PortState;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Hands frames to the device by a call, in time that is counted. A seed chooses the link.
final class MemoryAttackPath implements AttackPath, Driver {
    private static final List<AttackFrames.Shape> SHAPES =
            List.of(
                    AttackFrames.Shape.ROCE_V2,
                    AttackFrames.Shape.IB_LOCAL,
                    AttackFrames.Shape.ROCE_V2,
                    AttackFrames.Shape.IB_GLOBAL);

    private static final int TIMEOUT = 16;

    private final AttackFrames.Shape shape;
    private final Unexpected unexpected = new Unexpected();
    private @Nullable TransportDevice victim;
    private long nowNs = 1_000_000;

    MemoryAttackPath(long seed) {
        // In turn, so that a few seeds cover them all; RoCE twice.
        shape = SHAPES.get((int) (seed & 3));
    }

    @Override
    public String lacks(Need need) {
        return "";
    }

    @Override
    public AttackFrames.Shape shape() {
        return shape;
    }

    @Override
    public AttackFrames.Node node(int number) {
        int lid = shape.layer == LinkLayer.INFINIBAND ? 0x100 + number : 0;
        Gid gid =
                switch (shape) {
                    case ROCE_V2 -> new Gid(0, 0xFFFF_0A00_0000L + number);
                    case IB_LOCAL -> Gid.NONE;
                    // Another subnet for each, so that packets between them carry a GRH.
                    case IB_GLOBAL -> new Gid(0xFE80_0000_0000_0000L + number, 0x77_0000L + number);
                };
        return new AttackFrames.Node(lid, gid);
    }

    @Override
    public int sourceBits() {
        return Integer.SIZE;
    }

    @Override
    public Gid group(int number) {
        return shape == AttackFrames.Shape.ROCE_V2
                ? new Gid(0, 0xFFFF_EF00_0000L + number)
                : new Gid(0xFF12_0000_0000_0000L, number);
    }

    @Override
    public int peerPort() {
        return Address.ROCE_PORT;
    }

    @Override
    public int timeout() {
        return TIMEOUT;
    }

    @Override
    public int rnrTimer(int drawn) {
        return drawn;
    }

    @Override
    public TransportDevice open(
            String name,
            AttackFrames.Node at,
            int mtu,
            RandomGenerator random,
            Consumer<TransportOptions> changes) {
        TransportOptions options =
                new TransportOptions(random, this)
                        .name(name)
                        .port(
                                new PortAttributes(
                                        1, PortState.ACTIVE, shape.layer, at.lid(), 4096, mtu, 0))
                        .gids(List.of(at.gid()));
        changes.accept(options);
        return TransportDevice.create(options);
    }

    @Override
    public void besiege(TransportDevice attacked, @Nullable TransportDevice neighbour) {
        victim = attacked;
    }

    private TransportDevice victim() {
        return Objects.requireNonNull(victim, "a device is attacked");
    }

    @Override
    public void deliver(AttackFrames frames, int budget) {
        nowNs += 500;
        victim().handlePacket(nowNs, frames.receive());
    }

    @Override
    public boolean isNoticed(AttackFrames frames) {
        return true;
    }

    @Override
    public void drain(int budget, @Nullable SentPackets sentPackets) {
        if (budget > 0) {
            victim().pollTransmit(
                            nowNs,
                            CarrierScript.ALL_CLASSES,
                            budget,
                            sentPackets == null ? unexpected : sentPackets);
        }
    }

    @Override
    public void step(BystanderConnection bystander) {
        bystander.step(nowNs);
    }

    @Override
    public void tick() {
        if (victim().pollTimeout() <= nowNs) {
            victim().handleTimeout(nowNs);
        }
    }

    @Override
    public long nowNs() {
        return nowNs;
    }

    @Override
    public boolean turn() {
        return false;
    }

    @Override
    public void idle(long deadlineNs, BooleanSupplier isDone) {
        if (deadlineNs != Long.MAX_VALUE) {
            nowNs = Math.max(nowNs, deadlineNs);
        }
    }

    @Override
    public void wake() {}

    @Override
    public void close() {}

    private static final class Unexpected implements TransmitSink {
        private final OutboundPacket packet =
                new OutboundPacket(Arena.ofAuto().allocate(OutboundPacket.MAX_HEADER_LENGTH), 0);

        @Override
        public OutboundPacket next() {
            return packet;
        }

        @Override
        public void accept(OutboundPacket out) {
            throw new AssertionError("a packet of " + out.queuePair());
        }
    }
}
