package dev.verbena.roce;

import dev.verbena.verbs.Gid;
import dev.verbena.verbs.NoDeviceException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Sockets by Linux' own system calls: payload is gathered from where it lies, the kernel cuts
/// trains up and puts them together again, congestion bits come and go.
final class ForeignDatagrams implements Datagrams {
    /// A program that sends from one port only gives switches one path to choose; more sockets than
    /// this would only cost files.
    private static final int SENDERS = 4;

    /// How often a device that never sleeps looks for requests, which are for all at its address.
    private static final long REQUESTS_NS = 50_000;

    private static final int NONE = -1;

    private final Gid own;
    private final boolean isIpv4;
    private final Link link;
    private final boolean segments;
    private final MemorySegment state = Libc.state(Arena.ofAuto());
    private final @Nullable SocketGroup group;
    private final @Nullable Forwarding forwarding;
    private final int receiver;
    private final int[] senders = new int[SENDERS];
    private final int[] senderPorts = new int[SENDERS];
    private final Doorbell doorbell;
    private final MessageHeader outgoing = new MessageHeader();
    private final MessageHeader incoming = new MessageHeader();
    private final MessageHeader aside = new MessageHeader();
    private final SideSockets side;
    private final ForeignGroups groups;
    private long lookedAsideNs = System.nanoTime();
    private final int receiveBuffer;

    /// A socket that was another's counts on.
    private final long dropsBefore;

    private boolean isClosed;

    ForeignDatagrams(RoceSettings settings, Link link) {
        own = settings.address();
        isIpv4 = own.isIpv4();
        this.link = link;
        int scope = link.scope();
        segments = settings.segmentation();
        Arrays.fill(senders, NONE);
        side = new SideSockets(settings.name(), state);
        groups = new ForeignGroups(settings, link, state, side);
        ForeignSocket socket = new ForeignSocket(settings.name(), state);
        try {
            group = settings.shared() ? SocketGroup.join(settings, scope, socket, state) : null;
            receiver = group == null ? alone(settings, socket) : group.socket();
        } catch (RuntimeException refused) {
            side.close();
            throw refused;
        }
        try {
            if (group == null) {
                forwarding = null;
            } else {
                forwarding = new Forwarding(settings, scope, group, state);
                socket.segments(receiver, segments);
                side.add(group.requests());
            }
            receiveBuffer = socket.askForReceiveBuffer(receiver, settings.receiveBuffer());
            dropsBefore = ForeignSocket.drops(state, receiver);
            doorbell = new Doorbell(settings.name(), receiver, side.file());
        } catch (RuntimeException | Error refused) {
            side.close();
            closeReceiver();
            throw refused;
        }
        try {
            openSender(0);
        } catch (RuntimeException | Error refused) {
            close();
            throw refused;
        }
    }

    private int alone(RoceSettings settings, ForeignSocket socket) {
        return socket.openReceiver(own, settings.port(), link.scope(), segments, false);
    }

    @Override
    public @Nullable Forwarding forwarding() {
        return forwarding;
    }

    @Override
    public int trainMax() {
        return segments ? Train.PACKETS_MAX : 1;
    }

    @Override
    public boolean gathers() {
        return true;
    }

    @Override
    public int sourcePort(int flowLabel) {
        int index = index(flowLabel);
        if (senders[index] == NONE) {
            try {
                openSender(index);
            } catch (NoDeviceException full) {
                // No more files: one port fewer for switches to choose a path by.
                senders[index] = senders[0];
                senderPorts[index] = senderPorts[0];
            }
        }
        return senderPorts[index];
    }

    private void openSender(int index) {
        ForeignSocket socket = new ForeignSocket("roce " + own, state);
        int opened = socket.openSender(own, link);
        senderPorts[index] = socket.port(opened);
        senders[index] = opened;
    }

    private static int index(int flowLabel) {
        return (flowLabel ^ (flowLabel >>> 14)) & (SENDERS - 1);
    }

    @Override
    public int send(Train train) {
        if (isClosed) {
            return Errno.ENETDOWN;
        }
        Route route = train.route();
        outgoing.peer(route.socketAddress, route.socketAddressLength);
        outgoing.pieces(train.pieces(), train.pieceCount());
        outgoing.clearControl();
        if (train.count() > 1) {
            outgoing.segment(train.packetBytes());
        }
        if (train.trafficClass() != 0) {
            outgoing.trafficClass(isIpv4, train.trafficClass());
        }
        if (route.hopLimit() != ForeignSocket.HOPS) {
            outgoing.hopLimit(isIpv4, Math.max(1, route.hopLimit()));
        }
        int socket = senders[index(route.flowLabel())];
        long sent = Libc.sendmsg(state, socket, outgoing.finish(), 0);
        if (sent == train.bytes()) {
            return 0;
        }
        return sent < 0 ? Libc.errno(state) : Errno.EIO;
    }

    @Override
    public boolean receive(Arrival arrival) {
        incoming.buffer(arrival.bytes);
        long length = Libc.recvmsgNow(receiver, incoming.prepare());
        if (length < 0) {
            return false;
        }
        arrival.length = (int) length;
        arrival.packetLength = (int) length;
        incoming.read(arrival, isIpv4);
        return true;
    }

    @Override
    public boolean receiveAside(Arrival arrival, long nowNs) {
        if (isClosed) {
            return false;
        }
        boolean isDue = doorbell.cameBeside() || !groups.isEmpty();
        if (!isDue && nowNs - lookedAsideNs < REQUESTS_NS) {
            return false;
        }
        lookedAsideNs = nowNs;
        int socket = side.next();
        if (socket == SideSockets.NONE) {
            doorbell.tookBeside();
            return false;
        }
        aside.buffer(arrival.bytes);
        long length = Libc.recvmsgNow(socket, aside.prepare());
        if (length < 0) {
            // Another device was faster, or it was empty: there may be more.
            return false;
        }
        arrival.length = (int) length;
        arrival.packetLength = (int) length;
        arrival.group = group != null && socket == group.requests() ? null : groups.of(socket);
        aside.read(arrival, isIpv4);
        return true;
    }

    @Override
    public void join(Gid to) {
        groups.join(to);
    }

    @Override
    public void leave(Gid from) {
        if (!isClosed) {
            groups.leave(from);
        }
    }

    @Override
    public int seats() {
        return SEATS;
    }

    @Override
    public void await(int seat, long ns) {
        doorbell.await(seat, ns);
    }

    @Override
    public void wake(int seat) {
        doorbell.ring(seat);
    }

    @Override
    public int receiveBufferBytes() {
        return receiveBuffer;
    }

    @Override
    public long drops() {
        return isClosed ? 0 : ForeignSocket.drops(state, receiver) - dropsBefore + groups.drops();
    }

    @Override
    public String description() {
        return "sockets by Linux system calls, "
                + (segments ? "GSO and GRO" : "without GSO and GRO")
                + ", receive buffer "
                + receiveBuffer
                + " B, "
                + (group == null
                        ? "alone at its address"
                        : "number " + group.slot() + " of 15 at its address");
    }

    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        doorbell.close();
        groups.close();
        side.close();
        closeReceiver();
        for (int i = 0; i < SENDERS; i++) {
            if (senders[i] != NONE && (i == 0 || senders[i] != senders[0])) {
                Libc.close(state, senders[i]);
            }
        }
    }

    private void closeReceiver() {
        if (group == null) {
            Libc.close(state, receiver);
        } else {
            group.close();
        }
    }
}
