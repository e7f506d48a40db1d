package example.kv;

import java.nio.ByteBuffer;
import java.util.Arrays;

/// A key and its value, in 128 bytes.
final class Entry {
    static final int BYTES = 128;

    private Entry() {}

    static byte[] of(byte[] key, byte[] value) {
        ByteBuffer entry = ByteBuffer.allocate(BYTES).put((byte) key.length).put(key);
        return entry.put((byte) value.length).put(value).array();
    }

    static byte[] key(byte[] entry) {
        return Arrays.copyOfRange(entry, 1, 1 + entry[0]);
    }

    static byte[] value(byte[] entry) {
        int at = 1 + entry[0];
        return Arrays.copyOfRange(entry, at + 1, at + 1 + entry[at]);
    }
}
