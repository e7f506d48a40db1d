package example.kv;

import dev.verbena.easy.ExportedMemory;
import dev.verbena.easy.MessageServer;
import dev.verbena.easy.RdmaNode;
import dev.verbena.easy.VersionedCell;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Owns the table: clients put by request, and read the table themselves.
public final class StoreServer {
    static final int SLOTS = 1 << 14;
    static final int PROBES = 16;
    static final long STRIDE = VersionedCell.bytes(Entry.BYTES);
    private final byte[][] keys = new byte[SLOTS][];
    private final ExportedMemory table;
    private final MessageServer server;

    public StoreServer(RdmaNode node, int port) throws IOException {
        table = node.export("table", SLOTS * STRIDE);
        server = node.listen(port);
    }

    public int port() {
        return server.port();
    }

    public void serve() throws IOException {
        server.serve(this::put);
    }

    static int slot(byte[] key, int probe) {
        return (Arrays.hashCode(key) * 0x9E3779B9 >>> 8) + probe & SLOTS - 1;
    }

    private synchronized byte[] put(byte[] entry) {
        byte[] key = Entry.key(entry);
        for (int probe = 0; probe < PROBES; probe++) {
            int slot = slot(key, probe);
            if (keys[slot] == null || Arrays.equals(keys[slot], key)) {
                keys[slot] = key;
                VersionedCell.writer(table, slot * STRIDE, Entry.BYTES)
                        .write(MemorySegment.ofArray(entry));
                return new byte[0];
            }
        }
        throw new IllegalStateException("no room near the key");
    }
}
