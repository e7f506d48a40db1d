package dev.verbena.ibverbs;

import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.UnsupportedException;
import java.lang.foreign.Arena;
import org.jspecify.annotations.Nullable;

/// One of librdmacm's ids: a listener's, or that of a connection, begun or asked for.
///
/// All of it is called with the device's lock held. Calls answer with 0 or a reason, also when it
/// has ended.
final class CmId {
    private static final int TIMEOUT_MS = 5000;

    private final Connections home;
    private final Cm cm;
    private final int number;
    private long address;
    private @Nullable CmUser user;

    private CmId(Connections home, int number, long address, @Nullable CmUser user) {
        this.home = home;
        this.cm = home.cm;
        this.number = number;
        this.address = address;
        this.user = user;
    }

    static CmId create(Connections home, int number, int portSpace, CmUser user) {
        try (Arena arena = Arena.ofConfined()) {
            long at = arena.allocate(Structs.POINTER, Structs.POINTER).address();
            int reason = home.cm.createId(home.channel, at, number, portSpace);
            if (reason != 0) {
                throw Errno.refusal(home.device.name(), "an id for connections", reason);
            }
            CmId id = new CmId(home, number, Memory.getLong(at), user);
            id.check(portSpace);
            return id;
        }
    }

    /// The id of a received request. Its number was that of the listener.
    static CmId adopt(Connections home, int number, long address) {
        Memory.putLong(address + CmStructs.Id.CONTEXT, number);
        return new CmId(home, number, address, null);
    }

    /// A library of another layout is not found out by a crash.
    private void check(int portSpace) {
        boolean fits =
                Memory.getLong(address + CmStructs.Id.CHANNEL) == home.channel
                        && Memory.getLong(address + CmStructs.Id.CONTEXT) == number
                        && Memory.getInt(address + CmStructs.Id.PORT_SPACE) == portSpace;
        if (!fits) {
            cm.destroyId(address);
            throw new UnsupportedException(
                    home.device.name(),
                    "the installed librdmacm has another layout of rdma_cm_id than we know",
                    "use rdma-core 44, which it was tried with, or report this version to the"
                            + " project");
        }
    }

    int number() {
        return number;
    }

    @Nullable CmUser user() {
        return user;
    }

    void user(CmUser value) {
        user = value;
    }

    boolean isOpen() {
        return address != 0;
    }

    int bind(SocketAddress own) {
        try (Arena arena = Arena.ofConfined()) {
            long at = arena.allocate(SocketAddress.SIZE, Structs.POINTER).address();
            own.write(at);
            return cm.bindAddress(address, at);
        }
    }

    int listen(int backlog) {
        return cm.listen(address, backlog);
    }

    /// Resolves the path to a peer; an event reports the end.
    int resolveAddress(SocketAddress own, SocketAddress peer) {
        try (Arena arena = Arena.ofConfined()) {
            long from = arena.allocate(SocketAddress.SIZE, Structs.POINTER).address();
            long to = arena.allocate(SocketAddress.SIZE, Structs.POINTER).address();
            own.write(from);
            peer.write(to);
            return cm.resolveAddress(address, from, to, TIMEOUT_MS);
        }
    }

    int resolveRoute() {
        return cm.resolveRoute(address, TIMEOUT_MS);
    }

    int connect(CmParameters parameters) {
        try (Arena arena = Arena.ofConfined()) {
            return cm.connect(address, parameters.write(arena));
        }
    }

    int accept(CmParameters parameters) {
        try (Arena arena = Arena.ofConfined()) {
            return isOpen() ? cm.accept(address, parameters.write(arena)) : Errno.EINVAL;
        }
    }

    int establish() {
        return cm.establish(address);
    }

    int reject(byte... data) {
        try (Arena arena = Arena.ofConfined()) {
            long at = arena.allocate(Math.max(1, data.length)).address();
            for (int i = 0; i < data.length; i++) {
                Memory.putByte(at + i, data[i]);
            }
            return isOpen() ? cm.reject(address, at, data.length) : Errno.EINVAL;
        }
    }

    int disconnect() {
        return isOpen() ? cm.disconnect(address) : Errno.EINVAL;
    }

    /// Fills in the attributes of a queue pair for the state that is in `attributes`.
    int queuePairAttributes(long attributes, long mask) {
        return cm.queuePairAttributes(address, attributes, mask);
    }

    SocketAddress own() {
        return SocketAddress.read(address + CmStructs.Id.SOURCE);
    }

    SocketAddress peer() {
        return SocketAddress.read(address + CmStructs.Id.DESTINATION);
    }

    /// The library has opened the device for itself, so only names can be compared.
    void requireOwnDevice() {
        long verbs = Memory.getLong(address + CmStructs.Id.VERBS);
        long device = verbs == 0 ? 0 : Memory.getLong(verbs + Structs.Context.DEVICE);
        String found = device == 0 ? "" : Memory.text(device + Structs.Device.NAME);
        int port = Memory.getByte(address + CmStructs.Id.PORT);
        IbvSettings settings = home.device.context.settings;
        if (!found.equals(settings.device()) || port != settings.port()) {
            throw new InvalidRequestException(
                    home.device.name(),
                    "%s leads to %s port %d"
                            .formatted(
                                    own().gid(), found.isEmpty() ? "no RDMA device" : found, port),
                    "choose the gid of an IP address that this device alone has");
        }
    }

    /// Ends the id: requests are refused, peers of connections are notified, and resolutions are
    /// cancelled.
    void end() {
        if (isOpen()) {
            long ending = address;
            address = 0;
            home.forget(this);
            cm.destroyId(ending);
        }
    }
}
