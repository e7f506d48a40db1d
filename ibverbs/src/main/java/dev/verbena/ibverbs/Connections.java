package dev.verbena.ibverbs;

import dev.verbena.verbs.Address;
import dev.verbena.verbs.Connection;
import dev.verbena.verbs.DatagramListener;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.Listener;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.Resolution;
import dev.verbena.verbs.UnsupportedException;
import dev.verbena.verbs.WrongStateException;
import dev.verbena.verbs.spi.FreePort;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/// A device's connections that Linux' manager makes, and the channel that their events come by.
///
/// An event is copied, acknowledged, and only then looked at: the library lets no id end that has
/// an event which was not. Ids are known by numbers, since an address may be another's by then.
final class Connections implements EventThread.Source {
    private static final int MOST_DATA = 56;
    private static final int MOST_DATAGRAM_DATA = 180;

    final IbvDevice device;
    final Cm cm;
    final long channel;
    private final Map<Integer, CmId> ids = new HashMap<>();

    private Connections(IbvDevice device, Cm cm, long channel) {
        this.device = device;
        this.cm = cm;
        this.channel = channel;
    }

    /// Begins to manage; with the device's lock held.
    static Connections of(IbvDevice device) {
        if (!device.context.isEthernet) {
            throw new UnsupportedException(
                    device.name(),
                    "connections are managed by IP address, and InfiniBand ports have none",
                    "exchange endpoints instead");
        }
        Cm cm = device.context.stack.cm(device.name());
        var answer = cm.createChannel();
        if (answer.value() == 0) {
            throw Errno.refusal(
                    device.name(),
                    "to manage connections (is the kernel's module rdma_ucm loaded?)",
                    answer.errno());
        }
        Connections made = new Connections(device, cm, answer.value());
        Posix.unblock(made.file());
        device.thread.add(made);
        return made;
    }

    Listener listen(int port, int backlog) {
        if (port == 0) {
            requirePort(1, backlog);
            return FreePort.listen(ThreadLocalRandom.current(), it -> listen(it, backlog));
        }
        requirePort(port, backlog);
        IbvListener listener = new IbvListener(this, port, backlog);
        listener.listen(CmStructs.Id.TCP);
        return listener;
    }

    DatagramListener listenForDatagrams(int port, int backlog) {
        if (port == 0) {
            requirePort(1, backlog);
            return FreePort.listen(
                    ThreadLocalRandom.current(), it -> listenForDatagrams(it, backlog));
        }
        requirePort(port, backlog);
        IbvDatagramListener listener = new IbvDatagramListener(this, port, backlog);
        listener.listen(CmStructs.Id.UDP);
        return listener;
    }

    Connection connect(QueuePair queuePair, Address address, int port, byte[] privateData) {
        requirePort(port, 1);
        IbvQueuePair pair = own(queuePair);
        if (pair.type() == QueuePairType.UD) {
            throw new InvalidRequestException(
                    pair.toString(), "datagrams have no peer to connect to", "use RC");
        }
        if (pair.type() != QueuePairType.RC) {
            throw new UnsupportedException(
                    pair.toString(),
                    "Linux' rdma_cm connects queue pairs of type RC alone",
                    "use RC, or exchange endpoints");
        }
        requireUnconnected(pair);
        requireData(pair, MOST_DATA, privateData);
        SocketAddress own = own(address);
        SocketAddress peer = peer(address, port, own);
        IbvConnection made = new IbvConnection(this, pair, address.gid(), port, privateData);
        made.begin(own, peer);
        return made;
    }

    Resolution resolve(Address address, int port, byte[] privateData) {
        requirePort(port, 1);
        requireData(device.name(), MOST_DATAGRAM_DATA, privateData);
        SocketAddress own = own(address);
        SocketAddress peer = peer(address, port, own);
        IbvResolution made = new IbvResolution(this, address, port, privateData);
        made.begin(own, peer);
        return made;
    }

    CmId id(int portSpace, CmUser user) {
        CmId id = CmId.create(this, device.number(), portSpace, user);
        ids.put(id.number(), id);
        return id;
    }

    /// The id of a received request; its events have no receiver yet.
    CmId adopt(long address) {
        CmId id = CmId.adopt(this, device.number(), address);
        ids.put(id.number(), id);
        return id;
    }

    void forget(CmId id) {
        ids.remove(id.number());
    }

    /// Our queue pair, if it is one.
    IbvQueuePair own(QueuePair given) {
        if (!(given instanceof IbvQueuePair pair) || !device.equals(pair.domain().device())) {
            throw new InvalidRequestException(
                    device.name(),
                    given + " belongs to another device",
                    "use an object of this device");
        }
        pair.requireOpen();
        return pair;
    }

    static void requireUnconnected(IbvQueuePair pair) {
        if (pair.state() != QueuePairState.INIT || pair.connection != null) {
            throw new WrongStateException(
                    pair.toString(),
                    "it is in " + pair.state().symbol() + " or has a connection",
                    "connect a new queue pair");
        }
    }

    static void requireData(Object who, int most, byte[] bytes) {
        if (bytes.length > most) {
            throw new InvalidRequestException(
                    who.toString(),
                    bytes.length + " bytes of private data",
                    "send at most " + most + " along, and the rest later");
        }
    }

    private void requirePort(int port, int backlog) {
        if (port < 1 || port > 0xFFFF || backlog < 1) {
            throw new InvalidRequestException(
                    device.name(),
                    "port " + port + " with a backlog of " + backlog,
                    "use port 1 to 65535 and a backlog of at least 1");
        }
    }

    /// All of the device's, as far as they can be listened at.
    List<SocketAddress> addresses(int port) {
        List<SocketAddress> found = new ArrayList<>();
        for (GidTable.Entry entry : device.context.gids) {
            int scope = scope(entry);
            if (!entry.isOfTheLink() || scope != 0) {
                found.add(new SocketAddress(entry.gid(), port, scope));
            }
        }
        return found;
    }

    private SocketAddress own(Address way) {
        List<GidTable.Entry> gids = device.context.gids;
        if (way.sourceGid() >= gids.size()) {
            throw new InvalidRequestException(
                    device.name(),
                    "the port has no gid at index " + way.sourceGid(),
                    "use 0 to " + (gids.size() - 1));
        }
        GidTable.Entry entry = gids.get(way.sourceGid());
        int scope = scope(entry);
        if (entry.isOfTheLink() && scope == 0) {
            throw new InvalidRequestException(
                    device.name(),
                    "the network interface of " + entry.gid() + " is not known",
                    "use a gid that is no address of a link");
        }
        return new SocketAddress(entry.gid(), 0, scope);
    }

    /// An address of a link means something at one interface only.
    private static int scope(GidTable.Entry entry) {
        return entry.isOfTheLink() ? entry.interfaceIndex() : 0;
    }

    private SocketAddress peer(Address way, int port, SocketAddress own) {
        Gid gid = way.gid();
        if (gid.isIpv4() != own.gid().isIpv4()) {
            throw new InvalidRequestException(
                    device.name(),
                    "%s and %s are of different IP versions".formatted(own.gid(), gid),
                    "use the peer's address of the same version");
        }
        return new SocketAddress(gid, port, own.scope());
    }

    @Override
    public int file() {
        return Memory.getInt(channel + CmStructs.Channel.FD);
    }

    @Override
    public void take() {
        try (Arena arena = Arena.ofConfined()) {
            long at = arena.allocate(Structs.POINTER, Structs.POINTER).address();
            while (!device.isClosed() && cm.event(channel, at) == 0) {
                CmEvent event = CmEvent.read(Memory.getLong(at));
                cm.acknowledge(Memory.getLong(at));
                deliver(event);
            }
        }
    }

    private void deliver(CmEvent event) {
        device.context.lock.lock();
        try {
            CmId owner = ids.get(event.owner());
            CmUser user = owner == null ? null : owner.user();
            if (user != null) {
                user.happened(event);
            } else if (event.type() == CmEvent.REQUEST) {
                // Its listener has been closed since.
                adopt(event.id()).end();
            }
        } finally {
            device.context.lock.unlock();
        }
    }

    /// Ends all, when nothing fetches events any more; with the device's lock held.
    void end() {
        for (CmId id : new ArrayList<>(ids.values())) {
            CmUser user = id.user();
            if (user != null) {
                user.deviceCloses();
            }
            id.end();
        }
        cm.destroyChannel(channel);
    }
}
