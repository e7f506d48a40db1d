package dev.verbena.job.replay;

import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.PhantomMemory;
import dev.verbena.transport.TransportDevice;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Endpoint;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.Notification;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairAttributes;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.SendBatch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Messages between hosts: each is an RDMA WRITE whose end the receiver learns from immediate data.
///
/// Two hosts have a queue pair for each direction and NIC number, made at their first message.
/// Messages of one queue pair arrive in the order in which they were sent.
final class Messages {
    /// Requests of a queue pair under way; further messages wait in line.
    private static final int DEPTH = 64;

    /// The most bytes of one request: a longer message is several, of which the last has the
    /// immediate data.
    private static final long PIECE_BYTES = 1L << 30;

    /// A message, known to both ends.
    record Message(int source, int destination, int nic, int tag, long bytes, int node) {}

    /// Receives events of messages.
    interface Listener {
        /// The receiver has all of it.
        void arrived(Message message);

        /// The sender has the last acknowledgement.
        void sent(Message message);

        /// Its queue pair gave up.
        void failed(Message message, String why);
    }

    private record LaneKey(int source, int destination, int nic) {}

    private final Fabric fabric;
    private final Hosts devices;
    private final Consumer<QueuePairAttributes> connections;
    private final Listener listener;
    private final long longest;
    private final @Nullable Host[] hosts;
    private final Map<LaneKey, Lane> lanes = new HashMap<>();
    private final List<Lane> byNumber = new ArrayList<>();
    private final ArrayDeque<Host> noticed = new ArrayDeque<>();
    private final ArrayDeque<Message> inside = new ArrayDeque<>();

    /// @param longest bytes of the longest message
    Messages(
            Fabric fabric,
            Hosts devices,
            Consumer<QueuePairAttributes> connections,
            long longest,
            Listener listener) {
        this.fabric = fabric;
        this.devices = devices;
        this.connections = connections;
        this.longest = Math.min(longest, PIECE_BYTES);
        this.listener = listener;
        hosts = new Host[fabric.topology().hosts()];
    }

    /// Sends a message. Within a host it takes no time.
    void send(Message message) {
        if (message.source == message.destination) {
            inside.addLast(message);
            return;
        }
        lanes.computeIfAbsent(
                        new LaneKey(message.source, message.destination, message.nic), this::lane)
                .send(message);
    }

    private Lane lane(LaneKey key) {
        Lane lane = new Lane(host(key.source), host(key.destination), byNumber.size());
        byNumber.add(lane);
        return lane;
    }

    private Host host(int number) {
        Host host = hosts[number];
        if (host == null) {
            host = new Host(devices.device(number));
            hosts[number] = host;
        }
        return host;
    }

    /// Takes the completions since the last event, and messages within hosts.
    void serve() {
        while (!noticed.isEmpty()) {
            noticed.removeFirst().look();
        }
        while (!inside.isEmpty()) {
            Message message = inside.removeFirst();
            listener.arrived(message);
            listener.sent(message);
        }
    }

    /// The device and the verbs objects of a host.
    private final class Host {
        private final ProtectionDomain domain;
        private final CompletionQueue completions;
        private final MemoryRegion memory;
        private final Consumer<Completion> handler = this::completed;

        Host(TransportDevice device) {
            domain = device.protectionDomain();
            // Completions are taken after each event, and one event ends the requests of one pair.
            completions = device.completionQueue(4 * DEPTH);
            memory =
                    PhantomMemory.in(
                            domain, Math.max(1, longest), Access.LOCAL_WRITE, Access.REMOTE_WRITE);
            completions.onNotification(() -> noticed.addLast(this));
            completions.arm(Notification.ANY);
        }

        private void look() {
            completions.arm(Notification.ANY);
            completions.poll(Integer.MAX_VALUE, handler);
        }

        private void completed(Completion done) {
            byNumber.get((int) (done.id() >>> 1)).completed(done, (done.id() & 1) != 0);
        }

        QueuePair pair() {
            return domain.queuePair(
                    QueuePairType.RC,
                    it -> it.completions(completions).sendDepth(DEPTH).receiveDepth(DEPTH));
        }
    }

    /// One direction between two hosts.
    private final class Lane {
        private final Host source;
        private final Host target;
        private final int number;
        private final QueuePair sender;
        private final QueuePair receiver;

        /// Messages of which a piece is not posted yet.
        private final ArrayDeque<Message> waiting = new ArrayDeque<>();

        /// Messages whose last piece is posted, until both ends are over.
        private final ArrayDeque<Message> toArrive = new ArrayDeque<>();

        private final ArrayDeque<Message> toEnd = new ArrayDeque<>();

        /// By request under way, whether it is the last of its message.
        private final ArrayDeque<Boolean> pieces = new ArrayDeque<>();

        private long postedBytes;
        private int room = DEPTH;

        Lane(Host source, Host target, int number) {
            this.source = source;
            this.target = target;
            this.number = number;
            sender = source.pair();
            receiver = target.pair();
            connect(sender, receiver.endpoint());
            connect(receiver, sender.endpoint());
            for (int i = 0; i < DEPTH; i++) {
                receive();
            }
        }

        private void connect(QueuePair pair, Endpoint peer) {
            // IBA 8: within a subnet packets find their way by LID, without a GRH.
            boolean isLocal = fabric.settings().layer() == LinkLayer.INFINIBAND;
            Address known = Address.to(peer);
            Address address = isLocal ? known.withGid(Gid.NONE) : known;
            pair.connect(peer, it -> connections.accept(it.address(address)));
        }

        private void receive() {
            receiver.receives().receive().id(number * 2L + 1).post();
        }

        void send(Message message) {
            waiting.addLast(message);
            pump();
        }

        private void pump() {
            while (room > 0 && !waiting.isEmpty()) {
                Message message = waiting.getFirst();
                long bytes = Math.min(PIECE_BYTES, message.bytes - postedBytes);
                boolean isLast = postedBytes + bytes == message.bytes;
                SendBatch batch = sender.sends();
                if (isLast) {
                    batch.writeImmediate(
                            source.memory.slice(0, bytes),
                            target.memory.remote().slice(0, bytes),
                            0);
                } else {
                    batch.write(
                            source.memory.slice(0, bytes), target.memory.remote().slice(0, bytes));
                }
                batch.id(number * 2L).signaled().post();
                room--;
                postedBytes += bytes;
                if (isLast) {
                    toArrive.addLast(message);
                    postedBytes = 0;
                    waiting.removeFirst();
                    pieces.addLast(true);
                    toEnd.addLast(message);
                } else {
                    pieces.addLast(false);
                }
            }
        }

        private void completed(Completion done, boolean isReceiver) {
            if (!done.isSuccess()) {
                Message first = toEnd.isEmpty() ? waiting.peekFirst() : toEnd.getFirst();
                if (first != null) {
                    listener.failed(first, done.explanation());
                }
            } else if (isReceiver) {
                receive();
                listener.arrived(toArrive.removeFirst());
            } else {
                room++;
                boolean isLast = pieces.removeFirst();
                pump();
                if (isLast) {
                    listener.sent(toEnd.removeFirst());
                }
            }
        }
    }
}
