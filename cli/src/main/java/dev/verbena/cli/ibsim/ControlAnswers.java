package dev.verbena.cli.ibsim;

import dev.verbena.wire.BigEndian;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// Answers what an attached program asks about its port.
final class ControlAnswers {
    /// Offsets in PortInfo and NodeInfo.
    private static final int PREFIX = 8;

    private static final int LID = 16;
    private static final int STATE = 32;
    private static final int PORT_GUID = 20;

    private static final int VENDOR_BYTES = 24;

    private final Clients clients;

    ControlAnswers(Clients clients) {
        this.clients = clients;
    }

    /// Turns a question into its answer, or into an error; only the program itself may ask.
    void answer(ControlMessage message, InetSocketAddress from) throws IOException {
        Client client = clients.get(message.client());
        if (client == null || !client.control().equals(from)) {
            message.fail();
            return;
        }
        switch (message.type()) {
            case ControlMessage.DISCONNECT -> clients.remove(client);
            case ControlMessage.GET_PORT -> message.data(port(client));
            case ControlMessage.GET_VENDOR -> message.data(new byte[VENDOR_BYTES]);
            case ControlMessage.GET_GID -> message.data(gid(client));
            case ControlMessage.GET_GUID -> message.data(guid(client));
            case ControlMessage.GET_NODEINFO -> message.data(nodeInfo(client));
            case ControlMessage.GET_PORTINFO -> message.data(portInfo(client));
            case ControlMessage.SET_ISSM -> clients.isManager(client, message.word(0) != 0);
            case ControlMessage.GET_PKEYS -> {
                byte[] keys = block();
                client.port().partitionKeys(MemorySegment.ofArray(keys));
                message.data(keys);
            }
            default -> message.fail();
        }
    }

    private static byte[] block() {
        return new byte[ControlMessage.DATA_LENGTH];
    }

    private static byte[] nodeInfo(Client client) {
        byte[] bytes = block();
        client.port().nodeInfo(MemorySegment.ofArray(bytes));
        return bytes;
    }

    private static byte[] portInfo(Client client) {
        byte[] bytes = block();
        client.port().portInfo(MemorySegment.ofArray(bytes));
        return bytes;
    }

    private static byte[] guid(Client client) {
        byte[] guid = new byte[Long.BYTES];
        System.arraycopy(nodeInfo(client), PORT_GUID, guid, 0, guid.length);
        return guid;
    }

    private static byte[] gid(Client client) {
        byte[] gid = new byte[2 * Long.BYTES];
        System.arraycopy(portInfo(client), PREFIX, gid, 0, Long.BYTES);
        System.arraycopy(guid(client), 0, gid, Long.BYTES, Long.BYTES);
        return gid;
    }

    /// LID and state, in the machine's order.
    private static byte[] port(Client client) {
        MemorySegment info = MemorySegment.ofArray(portInfo(client));
        ByteBuffer answer = ByteBuffer.allocate(3).order(ByteOrder.nativeOrder());
        answer.putShort((short) BigEndian.u16(info, LID));
        answer.put((byte) (BigEndian.u8(info, STATE) & 0xF));
        return answer.array();
    }
}
