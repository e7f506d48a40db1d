package dev.verbena.ibverbs;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.verbena.verbs.InvalidRequestException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.TreeMap;

/// Management datagrams of a port of this machine, through libibumad: those to queue pair 0, by
/// LIDs and by directed routes, and those of subnet administration. Needs the right to open
/// `/dev/infiniband/umadN`.
///
/// Not for several threads at a time. The kernel and the library hold the memory that a call names
/// only during the call.
public final class ManagementDevice implements AutoCloseable {
    /// The LID of datagrams that find their way by ports.
    public static final int DIRECTED = 0xFFFF;

    /// Bytes of a datagram.
    public static final int LENGTH = 256;

    private static final int SUBNET_DIRECTED = 0x81;
    private static final int SUBNET = 0x01;
    private static final int ADMINISTRATION = 0x03;
    private static final int ADMINISTRATION_VERSION = 2;
    private static final int WELL_KNOWN_KEY = 0x8001_0000;

    private static final int GET = 1;
    private static final int SET = 2;
    private static final int TRAP = 5;
    private static final int REPRESS = 7;
    private static final int RESPONSE = 0x80;
    private static final int GET_TABLE = 0x12;
    private static final int DELETE = 0x15;
    private static final int METHOD_BYTES = 16;
    private static final int PATH_MAX = 256;

    /// Datagrams that are handed over in a call.
    private static final int AT_A_TIME = 256;

    private static final int NONE = -1;

    // struct ib_user_mad of the kernel's user_mad.h: the address follows five numbers.
    private static final int PAIR_AT = 20;
    private static final int LID_AT = 28;

    /// Takes datagrams that have come.
    @FunctionalInterface
    public interface Receiver {
        /// Takes a datagram of 256 bytes, which is not valid after the call.
        void receive(int sourceLid, int sourcePair, MemorySegment mad);
    }

    private final String name;
    private final Umad library;
    private final int timeoutMs;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment out;
    private final MemorySegment in;
    private final MemorySegment length;
    private final MemorySegment outMad;
    private final MemorySegment inMad;
    private final Map<Integer, Integer> agents = new TreeMap<>();
    private final int file;
    private int manager = NONE;
    private boolean isClosed;

    ManagementDevice(Umad library, String device, int port, boolean isManager, int timeoutMs) {
        this.library = library;
        this.timeoutMs = timeoutMs;
        name = device + " port " + port;
        length = arena.allocate(JAVA_INT);
        if (library.init() < 0) {
            arena.close();
            throw refused("libibumad does not start", 0);
        }
        file = library.openPort(arena.allocateFrom(device).address(), port);
        if (file < 0) {
            arena.close();
            throw refused("it cannot be opened", file);
        }
        // Header and begin of a datagram follow from the version of the driver, which is known by
        // now.
        int total = library.headerBytes() + LENGTH;
        out = arena.allocate(total, Long.BYTES);
        in = arena.allocate(total, Long.BYTES);
        outMad = out.asSlice(library.data(out.address()) - out.address(), LENGTH);
        inMad = in.asSlice(library.data(in.address()) - in.address(), LENGTH);
        try {
            if (isManager) {
                becomeManager(device, port);
            }
            register(SUBNET_DIRECTED, 1, GET, SET, TRAP, REPRESS);
            register(SUBNET, 1, GET, SET, TRAP, REPRESS);
            register(ADMINISTRATION, ADMINISTRATION_VERSION, GET, SET, GET_TABLE, DELETE);
        } catch (InvalidRequestException failed) {
            close();
            throw failed;
        }
    }

    /// Opens a port.
    ///
    /// @param device such as `mlx5_0`
    /// @param isManager whether a subnet manager is here, to which nodes send their traps
    /// @param timeoutMs how long the kernel waits for the answer to a request that is sent
    /// @throws InvalidRequestException if there is none, or if it may not be opened
    /// @throws dev.verbena.verbs.UnsupportedException without libibumad
    public static ManagementDevice open(String device, int port, boolean isManager, int timeoutMs) {
        return new ManagementDevice(Umad.ofThisMachine(), device, port, isManager, timeoutMs);
    }

    private InvalidRequestException refused(String what, int error) {
        return new InvalidRequestException(
                name,
                error == 0 ? what : what + ": error " + -error,
                "check the name with ls /sys/class/infiniband, that the module ib_umad is loaded,"
                        + " and that no other subnet manager runs here; root may open it");
    }

    private void becomeManager(String device, int port) {
        MemorySegment path = arena.allocate(PATH_MAX);
        long called = arena.allocateFrom(device).address();
        manager = library.openManager(called, port, path.address(), PATH_MAX);
        if (manager < 0) {
            throw refused("it cannot be marked as that of a subnet manager", manager);
        }
    }

    private void register(int managementClass, int version, int... methods) {
        MemorySegment mask = arena.allocate(METHOD_BYTES, Long.BYTES);
        for (int method : methods) {
            int at = method / Long.SIZE * Long.BYTES;
            mask.set(JAVA_LONG, at, mask.get(JAVA_LONG, at) | 1L << method % Long.SIZE);
        }
        int agent = library.register(file, managementClass, version, mask.address());
        if (agent < 0) {
            throw refused("class 0x%02x cannot be registered".formatted(managementClass), agent);
        }
        agents.put(managementClass, agent);
    }

    /// Sends a datagram. One that the kernel has no room for is lost, as on any network.
    ///
    /// @param lid of the receiver, or [#DIRECTED]
    /// @param pair the queue pair of the receiver
    /// @param mad 256 bytes, of one of the three classes
    public void send(int lid, int pair, MemorySegment mad) {
        requireOpen();
        Integer agent = agents.get(mad.get(JAVA_BYTE, 1) & 0xFF);
        if (agent == null || mad.byteSize() != LENGTH) {
            throw new InvalidRequestException(
                    name,
                    "a datagram of %d bytes and class 0x%02x"
                            .formatted(mad.byteSize(), mad.get(JAVA_BYTE, 1)),
                    "send 256 bytes of subnet management or administration");
        }
        out.fill((byte) 0);
        outMad.copyFrom(mad);
        int method = mad.get(JAVA_BYTE, 3) & 0xFF;
        boolean isAnswer = (method & RESPONSE) != 0 || method == REPRESS;
        library.setAddress(out.address(), lid, pair, 0, pair == 0 ? 0 : WELL_KNOWN_KEY);
        library.send(file, agent, out.address(), LENGTH, isAnswer ? 0 : timeoutMs);
    }

    /// Hands over what has come.
    ///
    /// @return whether anything has
    public boolean receive(Receiver receiver) {
        requireOpen();
        boolean any = false;
        for (int i = 0; i < AT_A_TIME && library.poll(file, 0) == 0; i++) {
            length.set(JAVA_INT, 0, LENGTH);
            int result = library.receive(file, in.address(), length.address(), 0);
            if (result == -Errno.EAGAIN) {
                break;
            }
            if (result < 0) {
                throw refused("datagrams cannot be read", result);
            }
            any = true;
            // A request without an answer comes back with a status.
            if (library.status(in.address()) == 0) {
                receiver.receive(big16(LID_AT), big32(PAIR_AT) & 0xFF_FFFF, inMad.asReadOnly());
            }
        }
        return any;
    }

    private int big16(int at) {
        return Short.toUnsignedInt(in.get(JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN), at));
    }

    private int big32(int at) {
        return in.get(JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN), at);
    }

    /// Waits until a datagram comes, or a time.
    public void await(int mostMs) {
        requireOpen();
        library.poll(file, mostMs);
    }

    private void requireOpen() {
        if (isClosed) {
            throw new InvalidRequestException(name, "it is closed", "open it again");
        }
    }

    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            library.closePort(file);
            if (manager >= 0) {
                library.closeManager(manager);
            }
            arena.close();
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
