package dev.verbena.transport;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.verbs.Gid;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Sends frames by a network to devices that move by themselves, in real time.
///
/// What became of a packet is looked at when all is quiet: the device has taken in every packet
/// that was sent to it, has nothing more to say, and all it said has arrived.
final class NetworkAttackPath implements AttackPath {
    /// 17 s: not even a machine that is busy with other things takes that long for one attack.
    private static final int TIMEOUT = 22;

    private static final long PATIENCE_NS = 20_000_000_000L;
    private static final int LONGEST = 1 << 16;

    private final AttackNetwork network;
    private final MemorySegment arrived = Arena.ofAuto().allocate(LONGEST, 8);
    private @Nullable TransportDevice victim;
    private @Nullable TransportDevice neighbour;
    private long sent;
    private long received;
    private boolean isHeld;

    NetworkAttackPath(AttackNetwork network) {
        this.network = network;
    }

    @Override
    public String lacks(Need need) {
        return switch (need) {
            case NOTHING -> "";
            case SOURCES ->
                    network.sourceBits() > 0 ? "" : "the forger has no other address than the peer";
            case GROUPS -> network.lacksGroups();
            case STRANGE_GROUPS ->
                    "the system hands over no packet to a group that was not joined, and sends"
                            + " none from a group";
            case MANAGEMENT -> "answers of queue pair 1 go to a port that is not the forger's";
        };
    }

    @Override
    public AttackFrames.Shape shape() {
        return AttackFrames.Shape.ROCE_V2;
    }

    @Override
    public AttackFrames.Node node(int number) {
        return new AttackFrames.Node(0, network.address(number));
    }

    @Override
    public int sourceBits() {
        return network.sourceBits();
    }

    @Override
    public Gid group(int number) {
        return network.address(1).isIpv4()
                ? new Gid(0, 0xFFFF_EF00_0000L + number)
                : new Gid(0xFF18_0000_0000_0000L, number);
    }

    @Override
    public int peerPort() {
        return network.peerPort();
    }

    @Override
    public int timeout() {
        return TIMEOUT;
    }

    @Override
    public int rnrTimer(int drawn) {
        // The longest there is, 655 ms: the next packets come before it is over.
        return 0;
    }

    @Override
    public TransportDevice open(
            String name,
            AttackFrames.Node at,
            int mtu,
            RandomGenerator random,
            Consumer<TransportOptions> changes) {
        int host = (int) (at.gid().low() - network.address(0).low());
        return network.open(host, mtu, random.nextLong(), changes);
    }

    @Override
    public void besiege(TransportDevice attacked, @Nullable TransportDevice beside) {
        victim = attacked;
        neighbour = beside;
    }

    private Engine engine() {
        return Objects.requireNonNull(victim, "a device is attacked").engine();
    }

    @Override
    public void deliver(AttackFrames frames, int budget) {
        if (budget < EVERYTHING && !isHeld) {
            isHeld = true;
            network.hold(engine().settings.driver, 0);
        }
        Gid from = sender(frames);
        Gid to = frames.target();
        if (!frames.isSpoiled()) {
            network.seal(frames.bytes, frames.transportAt, frames.transportLength(), from, to);
        }
        network.send(frames.bytes, frames.transportAt, frames.transportLength(), from, to);
        sent++;
    }

    @Override
    public boolean isNoticed(AttackFrames frames) {
        return network.isNoticed(
                frames.bytes, frames.transportAt, frames.transportLength(), sender(frames));
    }

    private Gid sender(AttackFrames frames) {
        int stranger = frames.stranger();
        // Behind the hosts that have a part in it.
        return stranger < 0 ? frames.sender().gid() : network.address(100 + (stranger & 0xFFFF));
    }

    @Override
    public void drain(int budget, @Nullable SentPackets sentPackets) {
        if (budget < EVERYTHING) {
            isHeld = true;
            awaitQuiet(sentPackets, false);
            if (budget > 0) {
                network.hold(engine().settings.driver, budget);
            }
        } else if (isHeld) {
            isHeld = false;
            network.release(engine().settings.driver);
        }
        awaitQuiet(sentPackets, !isHeld);
    }

    private void awaitQuiet(@Nullable SentPackets sentPackets, boolean isIdle) {
        long endNs = System.nanoTime() + PATIENCE_NS;
        while (true) {
            collect(sentPackets);
            if (isQuiet(isIdle)) {
                return;
            }
            network.turn();
            if (System.nanoTime() - endNs > 0) {
                throw new AssertionError("the device does not come to rest: " + state());
            }
        }
    }

    private void collect(@Nullable SentPackets sentPackets) {
        int length = network.receive(arrived);
        while (length > 0) {
            received++;
            if (sentPackets == null) {
                throw new AssertionError("a packet of " + length + " bytes that was not expected");
            }
            Gid to = sentPackets.take(arrived, length);
            if (!network.isSound(arrived, length, to)) {
                throw new AssertionError("a packet to " + to + " has a wrong ICRC: " + sentPackets);
            }
            length = network.receive(arrived);
        }
    }

    /// What the victim sent has arrived at the peers or at the neighbour, and the other way round.
    private boolean isQuiet(boolean isIdle) {
        Engine engine = engine();
        long neighbourSent = 0;
        long neighbourReceived = 0;
        if (neighbour != null) {
            Engine beside = neighbour.engine();
            try (var _ = beside.life.entry.enter()) {
                if (isIdle && !beside.scheduler.isIdle()) {
                    return false;
                }
                neighbourSent = beside.counters.value(Counter.SENT_PACKETS);
                neighbourReceived = beside.counters.value(Counter.RECEIVED_PACKETS);
            }
        }
        try (var _ = engine.life.entry.enter()) {
            return (!isIdle || engine.scheduler.isIdle())
                    && engine.counters.value(Counter.RECEIVED_PACKETS) == sent + neighbourSent
                    && engine.counters.value(Counter.SENT_PACKETS) == received + neighbourReceived;
        }
    }

    private String state() {
        return "forged %d, arrived %d; %s; %s"
                .formatted(
                        sent,
                        received,
                        Objects.requireNonNull(victim).counters(),
                        neighbour == null ? "" : neighbour.counters());
    }

    /// A whole round of work: packets of others would be in the books of an attack.
    @Override
    public void step(BystanderConnection bystander) {
        bystander.beginAll();
        awaitQuiet(null, true);
        bystander.endAll();
        if (bystander.isBusy()) {
            throw new AssertionError("a bystander connection stands still: " + state());
        }
    }

    @Override
    public void tick() {}

    @Override
    public void close() {
        network.close();
    }
}
