package dev.verbena.roce;

import dev.verbena.verbs.Gid;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Sockets by Linux' own system calls: payload is gathered from where it lies, the kernel cuts
/// trains up and puts them together again, congestion bits come and go.
final class ForeignDatagrams implements Datagrams {
    /// A program that sends from one port only gives switches one way to choose; more sockets than
    /// this would only cost files.
    private static final int SENDERS = 4;

    private static final int DEFAULT_HOPS = 64;
    private static final int NONE = -1;

    private final Gid own;
    private final boolean isIpv4;
    private final int scope;
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
    private final int receiveBuffer;

    /// A socket that was another's counts on.
    private final long dropsBefore;

    private boolean trainsRefused;
    private boolean isClosed;

    ForeignDatagrams(RoceSettings settings, int scope) {
        own = settings.address();
        isIpv4 = own.isIpv4();
        this.scope = scope;
        segments = settings.segmentation();
        Arrays.fill(senders, NONE);
        ForeignSocket socket = new ForeignSocket(settings.name(), state);
        if (settings.shared()) {
            group = SocketGroup.join(settings, scope, socket, state);
            forwarding = new Forwarding(settings, scope, group, state);
            receiver = group.socket();
            socket.segments(receiver, segments);
        } else {
            group = null;
            forwarding = null;
            receiver = socket.openReceiver(own, settings.port(), scope, segments, false);
        }
        receiveBuffer = socket.askForReceiveBuffer(receiver, settings.receiveBuffer());
        dropsBefore = ForeignSocket.drops(state, receiver);
        doorbell = new Doorbell(receiver);
    }

    @Override
    public @Nullable Forwarding forwarding() {
        return forwarding;
    }

    @Override
    public int trainMax() {
        return segments && !trainsRefused ? Train.PACKETS_MAX : 1;
    }

    @Override
    public boolean gathers() {
        return true;
    }

    @Override
    public int sourcePort(int flowLabel) {
        int index = index(flowLabel);
        if (senders[index] == NONE) {
            ForeignSocket socket = new ForeignSocket("roce " + own, state);
            senders[index] = socket.openSender(own, scope);
            senderPorts[index] = socket.port(senders[index]);
        }
        return senderPorts[index];
    }

    private static int index(int flowLabel) {
        return (flowLabel ^ (flowLabel >>> 14)) & (SENDERS - 1);
    }

    @Override
    public boolean send(Train train) {
        if (isClosed) {
            return false;
        }
        Way way = train.way();
        outgoing.peer(way.socketAddress, way.socketAddressLength);
        outgoing.pieces(train.pieces(), train.pieceCount());
        outgoing.clearControl();
        if (train.count() > 1) {
            outgoing.segment(train.packetBytes());
        }
        if (train.trafficClass() != 0) {
            outgoing.trafficClass(isIpv4, train.trafficClass());
        }
        if (way.hopLimit() != DEFAULT_HOPS) {
            outgoing.hopLimit(isIpv4, Math.max(1, way.hopLimit()));
        }
        int socket = senders[index(way.flowLabel())];
        long sent = Libc.sendmsg(state, socket, outgoing.finish(), 0);
        if (sent == train.bytes()) {
            return true;
        }
        if (sent < 0 && train.count() > 1) {
            int errno = Libc.errno(state);
            // The device cannot check-sum, or has a smaller MTU than the train's packets.
            trainsRefused |= errno == Errno.EIO || errno == Errno.EINVAL;
        }
        return false;
    }

    @Override
    public boolean receive(Arrival arrival) {
        incoming.buffer(arrival.bytes);
        long length = Libc.recvmsgNow(receiver, incoming.prepare());
        if (length <= 0) {
            return false;
        }
        arrival.length = (int) length;
        arrival.packetLength = (int) length;
        incoming.read(arrival, isIpv4);
        return true;
    }

    @Override
    public void await(long ns) {
        doorbell.await(ns);
    }

    @Override
    public void wake() {
        doorbell.ring();
    }

    @Override
    public int receiveBufferBytes() {
        return receiveBuffer;
    }

    @Override
    public long drops() {
        return isClosed ? 0 : ForeignSocket.drops(state, receiver) - dropsBefore;
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
        if (group == null) {
            Libc.close(state, receiver);
        } else {
            group.close();
        }
        for (int sender : senders) {
            if (sender != NONE) {
                Libc.close(state, sender);
            }
        }
    }
}
