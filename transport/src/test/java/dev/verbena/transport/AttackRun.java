package dev.verbena.transport;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.wire.AethSyndrome;
import dev.verbena.wire.Operation;
import java.util.SplittableRandom;

/// One seed of the attack campaign: sends forged packets to a device and compares its behaviour
/// with the expected one.
///
/// After every packet, a call of one of the methods states its expected effect.
final class AttackRun implements AutoCloseable {
    private static final int EVERYTHING = AttackPath.EVERYTHING;
    private static final int STRIKES_PER_STEP = 4;

    final DeviceUnderAttack world;
    final SplittableRandom random;
    final PacketForger forger;
    final LegitimatePeer peer;
    final SentPackets sentPackets;
    final int mtu;

    /// What rightful peers of the connection manager say.
    final AttackedConnectionManager manager;

    private final AttackPath path;
    private final AttackFrames frames;
    private final TransportDevice device;
    private final CounterChecks checks;
    private final AttackTotals totals;
    private Target target;
    private QueuePairState stateBefore = QueuePairState.READY_TO_SEND;
    private int attack;
    private long strikes;

    /// Bytes of answers that may leave now; an attack lowers it to see them wait.
    int budget = EVERYTHING;

    /// Against a device in this process's memory, on a link that the seed chooses.
    AttackRun(long seed, AttackTotals totals) {
        this(seed, totals, new MemoryAttackPath(seed));
    }

    AttackRun(long seed, AttackTotals totals, AttackPath path) {
        this.totals = totals;
        this.path = path;
        world = new DeviceUnderAttack(seed, path);
        random = world.random;
        mtu = world.mtu;
        device = world.device;
        target = world.open;
        frames = new AttackFrames(world.shape, world.open.peer, world.node(1));
        forger = new PacketForger(frames, world.open.peer, world.node(1).gid());
        sentPackets = new SentPackets(world);
        checks = new CounterChecks(device.engine().counters, totals);
        peer = new LegitimatePeer(this);
        manager = new AttackedConnectionManager(this);
    }

    /// Runs an attack once and looks that nothing is left of it.
    void strike(int index) {
        attack = index;
        totals.attacks.get(index).strike().accept(this);
        settle();
        strikes++;
        if (strikes % STRIKES_PER_STEP == 0) {
            path.step(world.bystander);
            drain();
            world.requireBounded();
        }
    }

    /// A packet for a target that its peer might send next.
    PacketForger forge(Target at, Operation operation) {
        target = at;
        return forger.of(at, operation);
    }

    /// Sends the forged packet.
    void fire() {
        totals.packet(attack);
        forger.write();
        deliver();
    }

    /// Sends the forged packet with a byte changed after its checksum was made; false when it was
    /// not sent, because the checksum is that of another sound packet.
    boolean fireSpoiled(int at, int bits) {
        forger.write();
        frames.spoil(at, bits);
        if (!path.isNoticed(frames)) {
            return false;
        }
        totals.packet(attack);
        deliver();
        return true;
    }

    /// Lets the rest of the answers leave, as if another packet had been fired.
    void again() {
        stateBefore = target.pair.state();
        sentPackets.clear();
        checks.open();
        drain();
    }

    /// Sends a packet that the peer may send.
    void fireGenuine() {
        totals.legitimate++;
        forger.write();
        deliver();
    }

    private void deliver() {
        stateBefore = target.pair.state();
        sentPackets.clear();
        checks.open();
        path.deliver(frames, budget);
        drain();
    }

    /// The payload of the packet may now lie at this address.
    void allow(long address, int length) {
        world.field.allow(address, frames.bytes, forger.payloadAt(), length);
    }

    /// Lets answers leave, within the budget.
    void drain() {
        path.drain(budget, sentPackets);
    }

    /// Nothing at all came of it, but for these checks.
    void dropped(Counter... by) {
        checks.exactly(attack, by);
        unmoved();
        if (sentPackets.count() != 0) {
            throw wrong("it was to be dropped");
        }
    }

    /// It was refused for good by this check: a NAK, an event, and the end of the queue pair.
    void refused(Counter... by) {
        checks.exactly(attack, by);
        int syndrome = syndrome(by[0]);
        if (sentPackets.count() != 1
                || sentPackets.operation(0) != Operation.ACKNOWLEDGE
                || sentPackets.syndrome(0) != syndrome
                || sentPackets.psn(0) != forger.psn
                || sentPackets.destination(0) != target.peerNumber) {
            throw wrong("it was to be refused with 0x%x".formatted(syndrome));
        }
        failed(
                syndrome == AethSyndrome.NAK_REMOTE_ACCESS
                        ? AsyncEvent.Type.QUEUE_PAIR_ACCESS_ERROR
                        : AsyncEvent.Type.QUEUE_PAIR_REQUEST_ERROR);
    }

    /// The queue pair has failed by it, with an event.
    void failed(AsyncEvent.Type type) {
        AsyncEvent event = device.pollEvent();
        if (event == null || event.type() != type || event.subject() != target.pair.number()) {
            throw wrong("the event is " + event + ", not " + type);
        }
        target.isBroken = true;
        if (target.pair.state() != QueuePairState.ERROR) {
            throw wrong("the queue pair was to fail");
        }
    }

    private static int syndrome(Counter by) {
        return switch (by) {
            case DENIED_KEY,
                    DENIED_DOMAIN,
                    DENIED_RIGHT,
                    DENIED_BOUNDS,
                    DENIED_PAIR,
                    DENIED_INVALIDATE ->
                    AethSyndrome.NAK_REMOTE_ACCESS;
            default -> AethSyndrome.NAK_INVALID_REQUEST;
        };
    }

    /// One acknowledgement or NAK came of it, and the connection goes on.
    void answered(int syndrome, int psn, Counter... by) {
        checks.exactly(attack, by);
        boolean fits =
                sentPackets.count() == 1
                        && sentPackets.operation(0) == Operation.ACKNOWLEDGE
                        && sentPackets.psn(0) == psn
                        && (syndrome == AethSyndrome.ACK
                                ? AethSyndrome.kind(sentPackets.syndrome(0))
                                        == AethSyndrome.Kind.ACK
                                : sentPackets.syndrome(0) == syndrome);
        if (!fits) {
            throw wrong("it was to be answered with 0x%x for 0x%x".formatted(syndrome, psn));
        }
        unmoved();
    }

    /// An event came, and it is the only one.
    void event(AsyncEvent.Type type) {
        AsyncEvent event = device.pollEvent();
        if (event == null || event.type() != type) {
            throw wrong("the event is " + event + ", not " + type);
        }
    }

    /// These checks and effects moved; what left is looked at by the caller.
    void moved(Counter... counters) {
        checks.exactly(attack, counters);
    }

    /// The target stands where it stood, by its peer's books.
    void unmoved() {
        if (target.pair.state() != stateBefore) {
            throw wrong("the queue pair went from " + stateBefore);
        }
        if (!target.isBroken && target.actualPsn() != target.expectedPsn) {
            throw wrong("it moved the expected sequence number");
        }
    }

    /// Takes a completion of the target and compares how it ended.
    void completed(CompletionStatus status) {
        Completion completion = world.completions.poll();
        if (completion == null || completion.status() != status) {
            throw wrong(
                    "a completion was to say "
                            + status
                            + " and says "
                            + (completion == null ? "nothing" : completion.status()));
        }
    }

    /// Takes a completion that says how many bytes came.
    void completedWith(long bytes) {
        Completion completion = world.completions.poll();
        if (completion == null || !completion.isSuccess() || completion.byteLength() != bytes) {
            throw wrong("a completion was to say " + bytes + " bytes and is " + completion);
        }
    }

    AssertionError wrong(String what) {
        return new AssertionError(
                "%s: packet 0x%02x psn 0x%x to %s, expected psn 0x%x; it is in %s, sent: %s"
                        .formatted(
                                what,
                                forger.code,
                                forger.psn,
                                target.pair,
                                target.expectedPsn,
                                target.pair.state(),
                                sentPackets));
    }

    /// The end of an attack: no byte changed that may not, no other connection was affected,
    /// nothing is left.
    private void settle() {
        budget = EVERYTHING;
        sentPackets.clear();
        drain();
        world.field.verify();
        collect();
        for (Target each : world.targets) {
            if (each.isBroken) {
                each.reconnect();
            } else if (each.pair.state() != QueuePairState.READY_TO_SEND
                    || each.actualPsn() != each.expectedPsn) {
                target = each;
                throw wrong("another queue pair was touched");
            }
        }
        AsyncEvent event = device.pollEvent();
        if (event != null) {
            throw wrong("an unexpected event: " + event);
        }
        path.tick();
    }

    /// Only what an attack has broken may have completions left, and no success among them.
    private void collect() {
        Completion completion = world.completions.poll();
        while (completion != null) {
            if (completion.isSuccess() || !isBroken(completion.queuePair())) {
                throw wrong("an unexpected completion: " + completion.status());
            }
            completion = world.completions.poll();
        }
    }

    /// Connects a target anew, in the middle of an attack.
    void reconnect(Target broken) {
        collect();
        broken.reconnect();
    }

    private boolean isBroken(int queuePair) {
        for (Target each : world.targets) {
            if (each.pair.number() == queuePair) {
                return each.isBroken;
            }
        }
        return false;
    }

    /// A number from `low` to `high`, both included.
    int between(int low, int high) {
        return random.nextInt(low, high + 1);
    }

    @SafeVarargs
    final <T> T pick(T... options) {
        return options[random.nextInt(options.length)];
    }

    /// Adds the counts of the bystander connection.
    @Override
    public void close() {
        totals.innocentRounds += world.bystander.rounds;
        totals.innocentPackets += world.bystander.packets;
        totals.worlds++;
        world.close();
    }
}
