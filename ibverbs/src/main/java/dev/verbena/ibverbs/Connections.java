package dev.verbena.ibverbs;

import dev.verbena.verbs.Address;
import dev.verbena.verbs.Connection;
import dev.verbena.verbs.DatagramListener;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.Listener;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.Resolution;
import dev.verbena.verbs.UnsupportedException;
import dev.verbena.verbs.spi.AddressRules;
import dev.verbena.verbs.spi.ConnectionRules;
import dev.verbena.verbs.spi.FreePort;
import dev.verbena.verbs.spi.ObjectRules;
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
            ConnectionRules.requirePort(device.name(), 1, backlog);
            return FreePort.listen(ThreadLocalRandom.current(), it -> listen(it, backlog));
        }
        ConnectionRules.requirePort(device.name(), port, backlog);
        IbvListener listener = new IbvListener(this, port, backlog);
        listener.listen(CmStructs.Id.TCP);
        return listener;
    }

    DatagramListener listenForDatagrams(int port, int backlog) {
        if (port == 0) {
            ConnectionRules.requirePort(device.name(), 1, backlog);
            return FreePort.listen(
                    ThreadLocalRandom.current(), it -> listenForDatagrams(it, backlog));
        }
        ConnectionRules.requirePort(device.name(), port, backlog);
        IbvDatagramListener listener = new IbvDatagramListener(this, port, backlog);
        listener.listen(CmStructs.Id.UDP);
        return listener;
    }

    Connection connect(QueuePair queuePair, Address address, int port, byte[] privateData) {
        ConnectionRules.requirePort(device.name(), port, 1);
        IbvQueuePair pair = own(queuePair);
        ConnectionRules.requireConnectable(pair, "use RC");
        if (pair.type() != QueuePairType.RC) {
            throw new UnsupportedException(
                    pair.toString(),
                    "Linux' rdma_cm connects queue pairs of type RC alone",
                    "use RC, or exchange endpoints");
        }
        ConnectionRules.requireUnconnected(pair, pair.connection != null);
        ConnectionRules.requireData(pair, privateData.length, MOST_DATA);
        SocketAddress own = own(address);
        SocketAddress peer = peer(address, port, own);
        IbvConnection made = new IbvConnection(this, pair, address.gid(), port, privateData);
        made.begin(own, peer);
        return made;
    }

    Resolution resolve(Address address, int port, byte[] privateData) {
        ConnectionRules.requirePort(device.name(), port, 1);
        ConnectionRules.requireData(device.name(), privateData.length, MOST_DATAGRAM_DATA);
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
            throw ObjectRules.foreign(device.name(), given);
        }
        pair.requireOpen();
        return pair;
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
        AddressRules.requireSource(device.name(), way, gids.size());
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
        AddressRules.requireSameVersion(device.name(), own.gid(), gid);
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
