package dev.verbena.manager;

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.ratis.proto.netty.NettyProtos.RaftNettyServerRequestProto;
import org.apache.ratis.thirdparty.com.google.protobuf.InvalidProtocolBufferException;

/// The network between managers: a door in front of each, through which all that others say to it
/// goes, message by message. A manager that is cut off hears nothing, and is not heard.
final class Wires implements AutoCloseable {
    private static final int MESSAGE_MAX = 16 << 20;

    private final Set<String> cut = ConcurrentHashMap.newKeySet();
    private final Set<Closeable> open = ConcurrentHashMap.newKeySet();
    private volatile boolean isEnding;

    /// Opens the door of a manager.
    ///
    /// @param port at which the manager itself listens
    /// @return the port at which others reach it
    int door(String id, int port) throws IOException {
        ServerSocket door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        open.add(door);
        start(
                "door of " + id,
                () -> {
                    while (!isEnding) {
                        connect(id, door.accept(), port);
                    }
                });
        return door.getLocalPort();
    }

    /// Work of a thread, which ends with its sockets.
    private interface Work {
        void run() throws IOException;
    }

    private static void start(String name, Work work) {
        Thread.ofPlatform()
                .daemon()
                .name(name)
                .start(
                        () -> {
                            try {
                                work.run();
                            } catch (IOException ended) {
                                // As sockets do that are closed.
                                return;
                            }
                        });
    }

    private void connect(String id, Socket from, int port) throws IOException {
        open.add(from);
        Socket to;
        try {
            to = new Socket(InetAddress.getLoopbackAddress(), port);
        } catch (IOException absent) {
            from.close();
            return;
        }
        open.add(to);
        Caller caller = new Caller();
        start("to " + id, () -> carry(from, to, id, caller, true));
        start("from " + id, () -> carry(to, from, id, caller, false));
    }

    /// Who is at the other end, once a message has said so.
    private static final class Caller {
        private volatile String id = "";
    }

    private void carry(Socket from, Socket to, String id, Caller caller, boolean isRequest)
            throws IOException {
        try (from;
                to) {
            DataInputStream in = new DataInputStream(from.getInputStream());
            DataOutputStream out = new DataOutputStream(to.getOutputStream());
            while (!isEnding) {
                byte[] message = new byte[length(in)];
                in.readFully(message);
                if (isRequest) {
                    caller.id = requestor(message, caller.id);
                }
                if (!cut.contains(id) && !cut.contains(caller.id)) {
                    length(out, message.length);
                    out.write(message);
                    out.flush();
                }
            }
        } finally {
            open.remove(from);
            open.remove(to);
        }
    }

    private static String requestor(byte[] message, String known)
            throws InvalidProtocolBufferException {
        RaftNettyServerRequestProto request = RaftNettyServerRequestProto.parseFrom(message);
        return switch (request.getRaftNettyServerRequestCase()) {
            case REQUESTVOTEREQUEST ->
                    request.getRequestVoteRequest()
                            .getServerRequest()
                            .getRequestorId()
                            .toStringUtf8();
            case APPENDENTRIESREQUEST ->
                    request.getAppendEntriesRequest()
                            .getServerRequest()
                            .getRequestorId()
                            .toStringUtf8();
            case INSTALLSNAPSHOTREQUEST ->
                    request.getInstallSnapshotRequest()
                            .getServerRequest()
                            .getRequestorId()
                            .toStringUtf8();
            default -> known;
        };
    }

    /// Reads a length in groups of seven bits.
    private static int length(DataInputStream in) throws IOException {
        int length = 0;
        for (int shift = 0; shift < 32; shift += 7) {
            int group = in.readUnsignedByte();
            length |= (group & 0x7F) << shift;
            if (group < 0x80) {
                if (length < 0 || length > MESSAGE_MAX) {
                    throw new EOFException("a message of %d bytes".formatted(length));
                }
                return length;
            }
        }
        throw new EOFException("a length of more than 32 bits");
    }

    private static void length(DataOutputStream out, int length) throws IOException {
        int left = length;
        while (left >= 0x80) {
            out.write((left & 0x7F) | 0x80);
            left >>>= 7;
        }
        out.write(left);
    }

    void cut(String id) {
        cut.add(id);
    }

    void join() {
        cut.clear();
    }

    @Override
    public void close() throws IOException {
        isEnding = true;
        for (Closeable each : open) {
            each.close();
        }
    }
}
