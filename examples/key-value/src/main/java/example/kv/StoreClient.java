package example.kv;

import dev.verbena.easy.MessageChannel;
import dev.verbena.easy.RemoteMemory;
import dev.verbena.easy.VersionedCell;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Arrays;

/// Threads may share it.
public final class StoreClient {
    private final MessageChannel channel;
    private final RemoteMemory table;

    public StoreClient(MessageChannel channel) throws IOException {
        this.channel = channel;
        table = channel.memory("table");
    }

    public void put(byte[] key, byte[] value) throws IOException {
        channel.request(Entry.of(key, value));
    }

    /// Null when there is none. The server's program has nothing to do with it.
    public byte[] get(byte[] key) throws IOException {
        byte[] entry = new byte[Entry.BYTES];
        for (int probe = 0; probe < StoreServer.PROBES; probe++) {
            long at = StoreServer.slot(key, probe) * StoreServer.STRIDE;
            VersionedCell cell = new VersionedCell(table, at, Entry.BYTES);
            if (cell.read(MemorySegment.ofArray(entry), Duration.ofSeconds(10)) == 0) {
                return null;
            } else if (Arrays.equals(Entry.key(entry), key)) {
                return Entry.value(entry);
            }
        }
        return null;
    }
}
