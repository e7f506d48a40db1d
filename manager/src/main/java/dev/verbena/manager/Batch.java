package dev.verbena.manager;

import dev.verbena.subnet.state.Command;
import dev.verbena.subnet.state.CommandBytes;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// Commands that go into the log as one entry.
///
/// | bytes | field |
/// |---|---|
/// | 1 | version, 1 |
/// | 2 | count of commands |
/// | 8, 4, … | for each: number of the proposal, length, bytes |
record Batch(List<Item> items) {
    static final int COUNT_MAX = 256;

    /// A file of partitions goes in one command.
    static final int BYTES_MAX = 2 << 20;

    private static final int VERSION = 1;
    private static final int HEAD = 3;
    private static final int ITEM_HEAD = Long.BYTES + Integer.BYTES;

    /// A command, with the number by which its proposer knows it.
    record Item(long number, Command command) {}

    byte[] bytes() {
        List<byte[]> all = items.stream().map(it -> CommandBytes.write(it.command)).toList();
        int length = HEAD + all.stream().mapToInt(it -> ITEM_HEAD + it.length).sum();
        ByteBuffer buffer = ByteBuffer.allocate(length);
        buffer.put((byte) VERSION).putShort((short) items.size());
        for (int i = 0; i < items.size(); i++) {
            byte[] bytes = all.get(i);
            buffer.putLong(items.get(i).number).putInt(bytes.length).put(bytes);
        }
        return buffer.array();
    }

    /// Reads what [#bytes] wrote.
    ///
    /// @throws IllegalArgumentException for bytes that are none
    static Batch parse(byte[] bytes) {
        if (bytes.length > BYTES_MAX) {
            throw new IllegalArgumentException(
                    "an entry of %d bytes: at most %d".formatted(bytes.length, BYTES_MAX));
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        try {
            int version = buffer.get();
            int count = buffer.getShort();
            if (version != VERSION || count < 1 || count > COUNT_MAX) {
                throw new IllegalArgumentException(
                        "an entry of version %d with %d commands".formatted(version, count));
            }
            List<Item> items = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                long number = buffer.getLong();
                int length = buffer.getInt();
                if (length < 0 || length > buffer.remaining()) {
                    throw new IllegalArgumentException("a command of %d bytes".formatted(length));
                }
                byte[] command = new byte[length];
                buffer.get(command);
                items.add(new Item(number, CommandBytes.read(command)));
            }
            if (buffer.hasRemaining()) {
                throw new IllegalArgumentException(
                        "%d bytes behind an entry".formatted(buffer.remaining()));
            }
            return new Batch(items);
        } catch (BufferUnderflowException shorter) {
            throw new IllegalArgumentException("an entry ends early", shorter);
        }
    }
}
