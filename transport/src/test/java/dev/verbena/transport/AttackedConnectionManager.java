package dev.verbena.transport;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.transport.cm.CmMachine;
import dev.verbena.transport.cm.CmSettings;
import dev.verbena.transport.connect.ConnectionSetup;
import dev.verbena.transport.manage.Management;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Connection;
import dev.verbena.verbs.ConnectionRequest;
import dev.verbena.verbs.DatagramListener;
import dev.verbena.verbs.DatagramRequest;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.Listener;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.wire.BigEndian;
import dev.verbena.wire.Deth;
import dev.verbena.wire.Operation;
import dev.verbena.wire.Payload;
import dev.verbena.wire.mad.CmDrep;
import dev.verbena.wire.mad.CmDreq;
import dev.verbena.wire.mad.CmMad;
import dev.verbena.wire.mad.CmMessage;
import dev.verbena.wire.mad.CmRep;
import dev.verbena.wire.mad.CmReq;
import dev.verbena.wire.mad.CmRtu;
import dev.verbena.wire.mad.CmSidrRep;
import dev.verbena.wire.mad.CmSidrReq;
import dev.verbena.wire.mad.Mad;
import dev.verbena.wire.mad.RdmaCmHeader;
import dev.verbena.wire.mad.ServiceId;
import dev.verbena.wire.mad.SidrStatus;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The connection manager of the device under attack: its listeners, a connection that it has made,
/// and peers that use it rightly, before, between and after what is forged.
final class AttackedConnectionManager {
    static final int PORT = 7471;
    static final int BACKLOG = 4;

    /// A port whose backlog is larger than the table of connections.
    static final int WIDE_PORT = 7472;

    /// Packets are over soon, since little time passes here; tables are small enough to be filled.
    static final CmSettings SETTINGS = new CmSettings(17, 15, 24, 0, 24, 8);

    /// What a rightful peer says first, so that the program knows it.
    private static final int PASSWORD = 0x5E5A_0E0F;

    /// A connection and the numbers that both sides know it by.
    record Link(
            TransportQueuePair pair,
            Connection connection,
            AttackFrames.Node peer,
            long transaction,
            CmReq request,
            CmRep reply) {
        int ours() {
            return reply.localCommunicationId();
        }

        int theirs() {
            return request.localCommunicationId();
        }

        /// No message of others has moved it.
        boolean isUntouched() {
            return connection.state() == Connection.State.ESTABLISHED
                    && pair.state() == QueuePairState.READY_TO_SEND;
        }
    }

    private final AttackRun run;
    final MemorySegment posting = Arena.ofAuto().allocate(Mad.LENGTH_TOTAL, 8);
    private @Nullable Listener listener;
    private @Nullable Listener wide;
    private @Nullable DatagramListener datagrams;
    private @Nullable TransportQueuePair service;
    private @Nullable Link link;

    AttackedConnectionManager(AttackRun run) {
        this.run = run;
    }

    /// The connection that no attack may affect; it is made together with all listeners.
    Link link() {
        Link known = link;
        if (known == null) {
            TransportDevice device = run.world.device;
            listener = device.listen(PORT, BACKLOG);
            wide = device.listen(WIDE_PORT, 4 * SETTINGS.connections());
            datagrams = device.listenForDatagrams(PORT, BACKLOG);
            service = pair(QueuePairType.UD);
            service.activate();
            known = connect(run.world.node(15));
            link = known;
        }
        return known;
    }

    CmMachine machine() {
        return run.world.device.engine().connections.machine();
    }

    TransportQueuePair pair(QueuePairType type) {
        run.world.managedPairs++;
        return (TransportQueuePair)
                run.world.domain.queuePair(
                        type,
                        o -> {
                            o.completions(run.world.completions).sendDepth(1).receiveDepth(1);
                            if (type != QueuePairType.UD) {
                                o.access(Set.of(Access.REMOTE_READ));
                            }
                        });
    }

    void close(TransportQueuePair pair) {
        pair.close();
        run.world.managedPairs--;
    }

    /// A datagram to queue pair 1 that says this.
    PacketForger say(AttackFrames.Node from, long transaction, CmMessage message) {
        CmMad.of(transaction, message).emit(posting, 0);
        return post(from);
    }

    /// A datagram to queue pair 1 that says what the message says.
    PacketForger post(AttackFrames.Node from) {
        PacketForger forger =
                run.forge(run.world.datagrams, Operation.SEND_ONLY)
                        .payload(Mad.LENGTH_TOTAL)
                        .content(posting)
                        .psn(run.random.nextInt(1 << 24));
        forger.from = from;
        forger.destination = Management.GENERAL;
        forger.sourcePair = Management.GENERAL;
        forger.queueKey = Deth.GSI_QKEY;
        return forger;
    }

    private Payload hello(AttackFrames.Node from, boolean isRightful) {
        Gid here = run.world.node(1).gid();
        byte[] word = new byte[Integer.BYTES];
        BigEndian.put32(
                MemorySegment.ofArray(word), 0, isRightful ? PASSWORD : run.random.nextInt());
        return RdmaCmHeader.between(
                        run.between(1024, 0xFFFF),
                        ConnectionSetup.wire(from.gid()),
                        ConnectionSetup.wire(here))
                .with(Payload.of(word));
    }

    /// A request to connect, right in all that it says.
    CmReq request(AttackFrames.Node from, int port, boolean isRightful) {
        return CmReq.builder()
                .serviceId(ServiceId.ofTcp(port))
                .localCommunicationId(run.random.nextInt() | 1)
                .localCaGuid(run.random.nextLong())
                .localQpn(run.between(16, 0xFF_FFFE))
                .responderResources(4)
                .initiatorDepth(4)
                .transportServiceType(CmReq.SERVICE_RC)
                .startingPsn(run.random.nextInt(1 << 24))
                .localResponseTimeout(17)
                .remoteResponseTimeout(17)
                .retryCount(7)
                .rnrRetryCount(7)
                .maxCmRetries(15)
                .pkey(DeviceUnderAttack.FULL_PKEY)
                .pathMtu(ConnectionSetup.mtuCode(run.mtu))
                .privateData(hello(from, isRightful))
                .build();
    }

    /// A question for a datagram queue pair, right in all that it says.
    CmSidrReq question(AttackFrames.Node from, int port, boolean isRightful) {
        return new CmSidrReq(
                run.random.nextInt(),
                DeviceUnderAttack.FULL_PKEY,
                ServiceId.ofUdp(port),
                hello(from, isRightful));
    }

    private static boolean isRightful(byte[] privateData) {
        return BigEndian.i32(MemorySegment.ofArray(privateData), 0) == PASSWORD;
    }

    /// Sends what a peer may send, which is taken.
    void fireGenuine() {
        run.fireGenuine();
        run.moved(Counter.RECEIVED_MANAGEMENT);
    }

    /// A rightful peer connects: the program finds it among the others, and turns those away.
    Link connect(AttackFrames.Node from) {
        long transaction = run.random.nextLong();
        CmReq request = request(from, PORT, true);
        say(from, transaction, request);
        fireGenuine();
        ConnectionRequest asked = turnAway(Objects.requireNonNull(listener));
        if (asked == null) {
            throw run.wrong("a rightful request did not reach the program");
        }
        TransportQueuePair pair = pair(QueuePairType.RC);
        Connection connection = asked.accept(pair);
        run.again();
        CmRep reply = last(CmRep.class);
        say(
                from,
                transaction,
                new CmRtu(
                        request.localCommunicationId(),
                        reply.localCommunicationId(),
                        Payload.EMPTY));
        fireGenuine();
        Link made = new Link(pair, connection, from, transaction, request, reply);
        if (!made.isUntouched()) {
            throw run.wrong("a rightful connection came to " + connection.state());
        }
        return made;
    }

    /// The peer ends a connection.
    void disconnect(Link over) {
        CmDreq request = new CmDreq(over.theirs(), over.ours(), over.pair.number(), Payload.EMPTY);
        say(over.peer, run.random.nextLong(), request);
        fireGenuine();
        last(CmDrep.class);
        close(over.pair);
    }

    /// A rightful peer resolves.
    void resolve(AttackFrames.Node from) {
        CmSidrReq question = question(from, PORT, true);
        say(from, run.random.nextLong(), question);
        fireGenuine();
        answerAll();
        CmSidrRep reply = last(CmSidrRep.class);
        boolean isRight =
                reply.requestId() == question.requestId()
                        && reply.status().equals(SidrStatus.VALID)
                        && reply.qpn() == service().number();
        if (!isRight) {
            throw run.wrong("a rightful question came to " + reply);
        }
    }

    private TransportQueuePair service() {
        return Objects.requireNonNull(service);
    }

    /// The last word of queue pair 1.
    <T extends CmMessage> T last(Class<T> kind) {
        int count = run.sentPackets.count();
        CmMessage message = count == 0 ? null : run.sentPackets.message(count - 1).message();
        if (!kind.isInstance(message)) {
            throw run.wrong("it was to be answered with " + kind.getSimpleName());
        }
        return kind.cast(message);
    }

    /// The program takes all that waits at a port, and rejects unknown peers.
    private static @Nullable ConnectionRequest turnAway(Listener from) {
        ConnectionRequest found = null;
        for (var next = from.poll(); next != null; next = from.poll()) {
            if (isRightful(next.privateData())) {
                found = next;
            } else {
                next.reject();
            }
        }
        return found;
    }

    /// The program answers all questions, the unknown ones first.
    void answerAll() {
        DatagramListener from = Objects.requireNonNull(datagrams);
        DatagramRequest found = null;
        for (var next = from.poll(); next != null; next = from.poll()) {
            if (isRightful(next.privateData())) {
                found = next;
            } else {
                next.accept(service());
            }
        }
        if (found != null) {
            found.accept(service());
        }
        run.again();
    }

    /// The program turns away all who wait; returns how many connections are left.
    int turnAllAway() {
        turnAway(Objects.requireNonNull(listener));
        turnAway(Objects.requireNonNull(wide));
        run.again();
        return machine().size();
    }

    /// Whether the program has no new request.
    boolean isQuiet() {
        return Objects.requireNonNull(listener).poll() == null
                && Objects.requireNonNull(datagrams).poll() == null;
    }

    /// After an attack: the connection stands, and rightful peers connect and resolve.
    void works() {
        if (!link().isUntouched()) {
            throw run.wrong("a connection of others was touched: " + link().connection);
        }
        disconnect(connect(run.world.node(16)));
        resolve(run.world.node(17));
    }

    static void requireBounded(CmMachine machine) {
        int most = SETTINGS.resolutions();
        boolean isBounded =
                machine.size() <= SETTINGS.connections()
                        && machine.datagrams().questions() <= most
                        && machine.datagrams().inquiries() <= 2 * most;
        if (!isBounded) {
            throw new AssertionError(
                    "%d connections, %d questions, %d inquiries"
                            .formatted(
                                    machine.size(),
                                    machine.datagrams().questions(),
                                    machine.datagrams().inquiries()));
        }
    }
}
