package dev.verbena.roce;

import dev.verbena.verbs.Gid;
import dev.verbena.verbs.NoDeviceException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The sockets of one address and port, which the devices there share: fifteen, of which each
/// device reads one, and its queue pair numbers begin with the number of that one; and one more for
/// requests, which all of them read.
///
/// The kernel numbers sockets in the order in which they came, and moves the last into the place of
/// one that goes. So none goes: the first device makes all of them, and gives them to every one
/// that joins. All devices hold all sockets; as long as there is one, the numbers stand.
///
/// A device has its number by a name that exists once, and asks for the sockets at the names of
/// others. The gate is such a name too: one device joins at a time.
final class SocketGroup {
    /// Longer than a process is kept from answering by a long collection of garbage.
    private static final int ANSWER_MS = 3000;

    private static final int GATE_S = 10;

    /// How long the sockets of a process that ends may outlive its name.
    private static final long LINGER_NS = 300_000_000L;

    private static final long PAUSE_MS = 2;
    private static final int STALE_MAX = 1 << 16;
    private static final int NONE = -1;

    private final String device;
    private final Gid own;
    private final int port;
    private final int scope;
    private final String place;
    private final MemorySegment state;
    private final ForeignSocket foreign;
    private final LocalSocket local;
    private HandOver shared = HandOver.NOTHING;
    private @Nullable Keeper keeper;
    private @Nullable ServiceNames services;
    private int slot = NONE;

    private SocketGroup(
            RoceSettings settings, int scope, ForeignSocket foreign, MemorySegment state) {
        this.device = settings.name();
        this.own = settings.address();
        this.port = settings.port();
        this.scope = scope;
        this.state = state;
        this.foreign = foreign;
        local = new LocalSocket(state);
        place = "verbena/roce/" + own + "%" + scope + "/" + port + "/";
    }

    /// Joins the devices at the address, or is the first.
    static SocketGroup join(
            RoceSettings settings, int scope, ForeignSocket foreign, MemorySegment state) {
        SocketGroup group = new SocketGroup(settings, scope, foreign, state);
        int gate = group.enterGate();
        try {
            HandOver given = group.askAll();
            group.shared = given == null ? group.makeAll() : given;
            group.claim();
            return group;
        } catch (RuntimeException refused) {
            group.close();
            throw refused;
        } finally {
            Libc.close(state, gate);
        }
    }

    /// The number of the socket that is this device's.
    int slot() {
        return slot;
    }

    int socket() {
        return shared.socket(slot);
    }

    /// The socket of the packets for all devices.
    int requests() {
        return shared.socket(Steering.REQUESTS);
    }

    /// The services of the devices at this address.
    ServiceNames services() {
        return Objects.requireNonNull(services, "a joined device has a number");
    }

    long secret() {
        return shared.secret();
    }

    private int enterGate() {
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(GATE_S);
        int gate = localSocket();
        while (local.bind(gate, place + "gate") != 0) {
            if (System.nanoTime() - endNs > 0) {
                Libc.close(state, gate);
                throw new NoDeviceException(
                        device,
                        "another program has been about to open it for " + GATE_S + " s",
                        "find the process that holds @"
                                + place
                                + "gate with `ss -xlp`; add ?share=off to"
                                + " have the address alone");
            }
            pause();
        }
        return gate;
    }

    /// The sockets from any process at the address; null when there is none.
    private @Nullable HandOver askAll() {
        int silent = NONE;
        for (int i = 0; i < HandOver.DEVICES; i++) {
            int connection = localSocket();
            try {
                local.limit(connection, ANSWER_MS);
                if (local.connect(connection, place + i) != 0) {
                    continue;
                }
                LocalSocket.Peer peer = local.peer(connection);
                if (peer.user() != Libc.geteuid(state)) {
                    throw foreign.refused(own, port, Errno.EADDRINUSE);
                }
                HandOver given = HandOver.receive(state, connection);
                if (given == null) {
                    silent = peer.process();
                } else if (!given.isNothing()) {
                    return given;
                }
            } finally {
                Libc.close(state, connection);
            }
        }
        if (silent != NONE) {
            throw new NoDeviceException(
                    device,
                    "process " + silent + ", which is at this address, does not answer",
                    "let it go on or end it, or use another address");
        }
        return null;
    }

    private HandOver makeAll() {
        long endNs = System.nanoTime() + LINGER_NS;
        while (!foreign.isFree(own, port, scope)) {
            if (System.nanoTime() - endNs > 0) {
                throw foreign.refused(own, port, Errno.EADDRINUSE);
            }
            pause();
        }
        int[] sockets = new int[HandOver.SOCKETS];
        Arrays.fill(sockets, NONE);
        try {
            for (int i = 0; i < sockets.length; i++) {
                boolean isDevices = i != Steering.REQUESTS;
                sockets[i] = foreign.openReceiver(own, port, scope, isDevices, true);
                if (isDevices) {
                    foreign.starve(sockets[i]);
                } else {
                    foreign.askForReceiveBuffer(sockets[i], RoceSettings.DEFAULT_RECEIVE_BUFFER);
                }
            }
            if (!Steering.attach(state, sockets[0])) {
                throw new NoDeviceException(
                        device,
                        "the system refuses a program for its sockets: "
                                + Errno.text(Libc.errno(state)),
                        "add ?share=off, and let one program use the address");
            }
        } catch (NoDeviceException refused) {
            for (int socket : sockets) {
                if (socket != NONE) {
                    Libc.close(state, socket);
                }
            }
            throw refused;
        }
        return new HandOver(sockets, new SecureRandom().nextLong());
    }

    /// Takes the first free number.
    private void claim() {
        int listener = localSocket();
        int free = 0;
        while (local.bind(listener, place + free) != 0) {
            free++;
            if (free == HandOver.DEVICES) {
                Libc.close(state, listener);
                throw new NoDeviceException(
                        device,
                        "15 devices share this address already",
                        "close one, or use another address or port: roce://ADDRESS:PORT");
            }
        }
        local.listen(listener);
        slot = free;
        keeper = new Keeper(device, listener, shared);
        services = new ServiceNames(device, place, shared.secret(), slot);
        dropStale();
    }

    /// Drops packets for the previous owner of this number.
    private void dropStale() {
        MemorySegment one = Arena.ofAuto().allocate(1);
        MessageHeader message = new MessageHeader();
        message.buffer(one);
        int flags = SocketOption.DONT_WAIT;
        for (int i = 0; i < STALE_MAX; i++) {
            if (Libc.recvmsg(state, socket(), message.prepare(), flags) < 0) {
                return;
            }
        }
    }

    private int localSocket() {
        int socket = local.open();
        if (socket < 0) {
            throw new NoDeviceException(
                    device,
                    "the system gives it no socket: " + Errno.text(Libc.errno(state)),
                    "look at the limit of open files");
        }
        return socket;
    }

    private void pause() {
        try {
            Thread.sleep(PAUSE_MS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new NoDeviceException(
                    device, "the thread was interrupted while it waited", "open it again");
        }
    }

    /// Leaves; the sockets stay open in the other processes.
    void close() {
        if (services != null) {
            services.close();
        }
        if (keeper != null) {
            foreign.starve(socket());
            keeper.close(state);
            keeper = null;
        }
        shared.close(state);
        shared = HandOver.NOTHING;
    }
}
