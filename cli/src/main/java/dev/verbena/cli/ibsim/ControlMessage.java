package dev.verbena.cli.ibsim;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/// A message by which a client attaches and asks about its port: 80 bytes in the machine's order.
///
/// | byte | field |
/// |---|---|
/// | 0 | magic number |
/// | 4 | number of the client |
/// | 8 | type; of an answer the same, or 0 for an error |
/// | 12 | length of the data in use |
/// | 16 | 64 bytes of data |
final class ControlMessage {
    static final int LENGTH = 80;
    static final int DATA = 16;
    static final int DATA_LENGTH = 64;

    static final int ERROR = 0;
    static final int CONNECT = 1;
    static final int DISCONNECT = 2;
    static final int GET_PORT = 3;
    static final int GET_VENDOR = 4;
    static final int GET_GID = 5;
    static final int GET_GUID = 6;
    static final int GET_NODEINFO = 7;
    static final int GET_PORTINFO = 8;
    static final int SET_ISSM = 9;
    static final int GET_PKEYS = 10;

    private static final int MAGIC = 0xDEAD_BEEF;
    private static final int CLIENT = 4;
    private static final int TYPE = 8;
    private static final int USED = 12;

    /// Of the data of a CONNECT: the port of the client's data socket, a queue pair, whether it is
    /// a subnet manager, and the name of a node.
    private static final int CONNECT_NAME = 12;

    static final int NAME_LENGTH = 32;

    private final ByteBuffer bytes;

    ControlMessage(ByteBuffer bytes) {
        this.bytes = bytes.order(ByteOrder.nativeOrder());
    }

    static boolean isOne(ByteBuffer bytes) {
        return bytes.remaining() == LENGTH
                && bytes.order(ByteOrder.nativeOrder()).getInt(bytes.position()) == MAGIC;
    }

    int client() {
        return bytes.getInt(CLIENT);
    }

    void client(int slot) {
        bytes.putInt(CLIENT, slot);
    }

    int type() {
        return bytes.getInt(TYPE);
    }

    /// Makes it a request.
    void type(int type) {
        bytes.putInt(0, MAGIC).putInt(TYPE, type).putInt(USED, DATA_LENGTH);
    }

    void fail() {
        bytes.putInt(TYPE, ERROR);
    }

    int word(int index) {
        return bytes.getInt(DATA + Integer.BYTES * index);
    }

    void word(int index, int value) {
        bytes.putInt(DATA + Integer.BYTES * index, value);
    }

    byte firstByte() {
        return bytes.get(DATA);
    }

    /// The node that a CONNECT names; empty for any.
    String node() {
        byte[] name = new byte[NAME_LENGTH];
        bytes.get(DATA + CONNECT_NAME, name);
        int end = 0;
        while (end < name.length && name[end] != 0) {
            end++;
        }
        return new String(name, 0, end, StandardCharsets.UTF_8);
    }

    void node(String name) {
        byte[] text = name.getBytes(StandardCharsets.UTF_8);
        byte[] padded = new byte[NAME_LENGTH];
        System.arraycopy(text, 0, padded, 0, Math.min(text.length, NAME_LENGTH - 1));
        bytes.put(DATA + CONNECT_NAME, padded);
    }

    byte[] data() {
        byte[] data = new byte[DATA_LENGTH];
        bytes.get(DATA, data);
        return data;
    }

    void data(byte[] data) {
        bytes.put(DATA, data, 0, Math.min(data.length, DATA_LENGTH));
    }

    ByteBuffer bytes() {
        return bytes.clear();
    }
}
