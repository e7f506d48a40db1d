package dev.verbena.transport.cm;

import dev.verbena.verbs.Address;
import dev.verbena.verbs.Gid;
import dev.verbena.wire.BigEndian;
import dev.verbena.wire.Payload;
import dev.verbena.wire.mad.CmApr;
import dev.verbena.wire.mad.CmDrep;
import dev.verbena.wire.mad.CmDreq;
import dev.verbena.wire.mad.CmLap;
import dev.verbena.wire.mad.CmMad;
import dev.verbena.wire.mad.CmMessage;
import dev.verbena.wire.mad.CmMra;
import dev.verbena.wire.mad.CmRej;
import dev.verbena.wire.mad.CmRep;
import dev.verbena.wire.mad.CmReq;
import dev.verbena.wire.mad.CmReqBuilder;
import dev.verbena.wire.mad.CmRtu;
import dev.verbena.wire.mad.CmSidrRep;
import dev.verbena.wire.mad.CmSidrReq;
import dev.verbena.wire.mad.CmTimeout;
import dev.verbena.wire.mad.RejectReason;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// All connections of a device, by the numbers that messages use for them.
///
/// Local numbers are random, and a message is accepted only from the address of the connection's
/// peer: an attacker would have to guess 32 bits and to send from the peer's address.
public final class CmMachine {
    /// The peer's number of a connection is unique only together with the peer's GUID and GID, so
    /// that no other host can take its place.
    private record PeerId(Gid gid, long guid, int communicationId) {
        static PeerId of(CmConnection connection) {
            Gid gid = connection.to().gid();
            return new PeerId(gid, connection.peerGuid(), connection.peerId());
        }
    }

    /// One queue pair has one connection.
    private record PeerPair(Gid gid, long guid, int queuePair) {
        static PeerPair of(CmConnection connection) {
            Gid gid = connection.to().gid();
            return new PeerPair(gid, connection.peerGuid(), connection.peerPair());
        }
    }

    /// When something is looked at; each has one at most.
    record Deadline(long atNs, long number, CmTimed subject) implements Comparable<Deadline> {
        @Override
        public int compareTo(Deadline other) {
            int byTime = Long.compare(atNs, other.atNs);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    // Which message a REJ or MRA answers (IBA 12.6.7, 12.6.6).
    static final int MESSAGE_REQ = 0;
    static final int MESSAGE_REP = 1;

    final CmSettings settings;
    final long guid;
    private final RandomGenerator random;
    private final CmOutlet outlet;
    private final Map<Integer, CmConnection> connections = new HashMap<>();
    private final Map<PeerId, CmConnection> byPeerId = new HashMap<>();
    private final Map<PeerPair, CmConnection> byPeerPair = new HashMap<>();
    private final Map<Long, CmService> services = new HashMap<>();
    private final TreeSet<Deadline> deadlines = new TreeSet<>();
    private final SidrTable datagrams;
    private long armed;
    private long nowNs;
    private int idPrefix;
    private int idPrefixBits;

    /// @param random must not be foreseen where peers are strangers
    public CmMachine(CmSettings settings, RandomGenerator random, CmOutlet outlet) {
        this.settings = settings;
        this.random = random;
        this.outlet = outlet;
        guid = random.nextLong();
        datagrams = new SidrTable(this);
    }

    /// Which queue pairs serve datagrams, here and elsewhere.
    public SidrTable datagrams() {
        return datagrams;
    }

    /// Sets the top bits of all local numbers, so that replies can be steered to one of several
    /// machines that share an address.
    public void numbersBeginWith(int prefix, int bits) {
        idPrefix = bits == 0 ? 0 : prefix << (Integer.SIZE - bits);
        idPrefixBits = bits;
    }

    /// Requests a connection. The caller supplies the fields of the queue pair; ids and times are
    /// filled in here.
    ///
    /// @return null when the limit of connections is reached
    public @Nullable CmConnection connect(
            long timeNs, Address to, CmReqBuilder request, CmUser user) {
        nowNs = timeNs;
        if (isFull()) {
            return null;
        }
        int id = freshId(connections);
        CmReq message =
                request.localCommunicationId(id)
                        .localCaGuid(guid)
                        .localResponseTimeout(settings.responseTimeout())
                        .remoteResponseTimeout(settings.responseTimeout())
                        .maxCmRetries(settings.retries())
                        .build();
        CmConnection connection =
                new CmConnection(this, id, random.nextLong(), to, message.queuePair().qpn());
        connection.use(user);
        connections.put(id, connection);
        connection.ask(message);
        return connection;
    }

    /// Registers a service; returns false when the service already exists.
    public boolean listen(long serviceId, CmService service) {
        return services.putIfAbsent(serviceId, service) == null;
    }

    public void unlisten(long serviceId) {
        services.remove(serviceId);
    }

    /// Processes a message.
    ///
    /// @param from the address of its sender
    public CmVerdict handle(long timeNs, Address from, CmMad mad) {
        nowNs = timeNs;
        long transaction = mad.transactionId();
        return switch (CmOptions.message(mad)) {
            case CmReq request -> requested(from, transaction, request);
            case CmRep reply -> replied(from, transaction, reply);
            case CmDreq request -> disconnecting(from, transaction, request);
            case CmRtu ready ->
                    tell(find(ready.remoteCommunicationId(), from), CmConnection::ready);
            case CmMra wait -> {
                int message = wait.messageAcknowledged();
                yield tell(
                        find(wait.remoteCommunicationId(), from),
                        it -> it.toWait(message, wait.serviceTimeout()));
            }
            case CmRej refusal -> tell(rejected(from, refusal), it -> it.rejected(refusal));
            case CmDrep done ->
                    tell(
                            find(done.remoteCommunicationId(), from),
                            CmConnection::disconnectAnswered);
            case CmSidrReq request -> datagrams.asked(from, transaction, request);
            case CmSidrRep reply -> datagrams.replied(from, transaction, reply);
            // Paths do not move.
            case CmLap _, CmApr _ -> CmVerdict.STRAY;
        };
    }

    /// Hands a message to its connection, if there is one, which says whether it waited for it.
    private static CmVerdict tell(
            @Nullable CmConnection connection, Predicate<CmConnection> message) {
        if (connection == null) {
            return CmVerdict.STRAY;
        }
        return message.test(connection) ? CmVerdict.TAKEN : CmVerdict.REPEATED;
    }

    private @Nullable CmConnection find(int localId, Address from) {
        CmConnection connection = connections.get(localId);
        return connection != null && connection.isFrom(from) ? connection : null;
    }

    /// IBA 12.6.7: a peer that gave up waiting may never have received our number.
    private @Nullable CmConnection rejected(Address from, CmRej refusal) {
        if (refusal.remoteCommunicationId() != 0 || refusal.infoLength() < Long.BYTES) {
            return find(refusal.remoteCommunicationId(), from);
        }
        long peer = BigEndian.i64(refusal.info().segment(), 0);
        int theirs = refusal.localCommunicationId();
        CmConnection connection = byPeerId.get(new PeerId(from.gid(), peer, theirs));
        return connection != null && connection.isFrom(from) ? connection : null;
    }

    private CmVerdict requested(Address from, long transaction, CmReq request) {
        long guid = request.localCaGuid();
        Gid gid = from.gid();
        CmConnection known = byPeerId.get(new PeerId(gid, guid, request.localCommunicationId()));
        if (known != null) {
            if (!known.isFrom(from)) {
                return CmVerdict.STRAY;
            }
            known.askedAgain(request);
            return CmVerdict.REPEATED;
        }
        CmConnection old = byPeerPair.get(new PeerPair(gid, guid, request.queuePair().qpn()));
        if (old != null && old.isFrom(from) && !old.isAbandoned()) {
            // IBA 12.9.8.3.1: the peer has forgotten that connection, and must not mix the two.
            CmVerdict refused = refuse(from, transaction, request, RejectReason.STALE_CONNECTION);
            old.forgotten();
            return refused;
        }
        CmService service = services.get(request.serviceId());
        if (service == null) {
            return refuse(from, transaction, request, RejectReason.INVALID_SERVICE_ID);
        }
        if (isFull()) {
            return refuse(from, transaction, request, RejectReason.NO_RESOURCES);
        }
        CmConnection connection =
                new CmConnection(this, freshId(connections), transaction, from, 0);
        connection.asked(request);
        connections.put(connection.id(), connection);
        know(connection);
        CmUser user = service.requested(connection, request);
        if (user == null) {
            connection.reject(RejectReason.NO_RESOURCES, Payload.EMPTY);
            return CmVerdict.REFUSED;
        }
        connection.use(user);
        return CmVerdict.TAKEN;
    }

    /// The peer of a connection is now known.
    void know(CmConnection connection) {
        byPeerId.put(PeerId.of(connection), connection);
        byPeerPair.put(PeerPair.of(connection), connection);
    }

    private CmVerdict refuse(Address to, long transaction, CmReq request, RejectReason why) {
        int id = request.localCommunicationId();
        send(to, transaction, rejection(0, id, MESSAGE_REQ, why, Payload.EMPTY));
        return CmVerdict.REFUSED;
    }

    private CmVerdict replied(Address from, long transaction, CmRep reply) {
        CmConnection connection = find(reply.remoteCommunicationId(), from);
        if (connection == null) {
            // We gave up, and said so in vain: without this the peer would wait to the end.
            RejectReason why = RejectReason.INVALID_COMMUNICATION_ID;
            int theirs = reply.localCommunicationId();
            int ours = reply.remoteCommunicationId();
            send(from, transaction, rejection(ours, theirs, MESSAGE_REP, why, Payload.EMPTY));
        }
        return tell(connection, it -> it.replied(reply));
    }

    private CmVerdict disconnecting(Address from, long transaction, CmDreq request) {
        CmConnection connection = find(request.remoteCommunicationId(), from);
        if (connection == null) {
            // IBA 12.9.7.1: an unknown connection has ended.
            int ours = request.remoteCommunicationId();
            CmDrep answer = new CmDrep(ours, request.localCommunicationId(), Payload.EMPTY);
            send(from, transaction, answer);
        } else if (request.remoteQpn() == connection.pair()) {
            return tell(connection, it -> it.disconnected(transaction));
        }
        return CmVerdict.STRAY;
    }

    static CmRej rejection(
            int ours, int theirs, int message, RejectReason why, Payload privateData) {
        return new CmRej(ours, theirs, message, 0, why, Payload.EMPTY, privateData);
    }

    void send(Address to, long transaction, CmMessage message) {
        outlet.send(to, new CmMad(transaction, CmOptions.modifier(message), message));
    }

    long nowNs() {
        return nowNs;
    }

    /// Says that the program acts now.
    public void at(long timeNs) {
        nowNs = timeNs;
    }

    long freshTransaction() {
        return random.nextLong();
    }

    /// A number that none of these has.
    int freshId(Map<Integer, ?> taken) {
        int id;
        do {
            id = random.nextInt() >>> idPrefixBits | idPrefix;
        } while (id == 0 || taken.containsKey(id));
        return id;
    }

    private boolean isFull() {
        return connections.size() >= settings.connections();
    }

    /// How long to wait for an answer: both ways, and the time that the peer takes.
    long answerNs(int responseTimeout) {
        return 2 * CmTimeout.nanos(settings.lifeTime()) + CmTimeout.nanos(responseTimeout);
    }

    /// Looks at something when its time has come, and not before.
    void arm(CmTimed subject, long atNs) {
        disarm(subject);
        Deadline next = new Deadline(atNs, armed++, subject);
        subject.deadline = next;
        deadlines.add(next);
    }

    void disarm(CmTimed subject) {
        Deadline last = subject.deadline;
        if (last != null) {
            subject.deadline = null;
            deadlines.remove(last);
        }
    }

    /// When to call [#handleTimeout]; `Long.MAX_VALUE` when nothing is waited for.
    public long pollTimeout() {
        return deadlines.isEmpty() ? Long.MAX_VALUE : deadlines.first().atNs;
    }

    /// Handles all timers that are due.
    public void handleTimeout(long timeNs) {
        nowNs = timeNs;
        while (pollTimeout() <= timeNs) {
            CmTimed subject = deadlines.first().subject;
            disarm(subject);
            subject.timedOut();
        }
    }

    void forget(CmConnection connection) {
        connections.remove(connection.id());
        byPeerId.remove(PeerId.of(connection), connection);
        byPeerPair.remove(PeerPair.of(connection), connection);
    }

    /// Connections, those that are over but kept among them.
    public int size() {
        return connections.size();
    }
}
