package dev.verbena.manager;

import dev.verbena.subnet.state.Command;
import dev.verbena.subnet.state.CommandBytes;
import dev.verbena.subnet.state.SubnetState;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/// A state as a file: the commands that make an empty one equal to it.
final class StateFile {
    private static final long MAGIC = 0x5642_5354_4154_4531L;
    private static final int COUNT_MAX = 1 << 20;

    private StateFile() {}

    /// Writes all of it, or nothing.
    static void write(Path file, SubnetState state) throws IOException {
        Path part = file.resolveSibling(file.getFileName() + ".part");
        List<Command> commands = state.commands();
        try (FileOutputStream bytes = new FileOutputStream(part.toFile());
                DataOutputStream out = new DataOutputStream(new BufferedOutputStream(bytes))) {
            out.writeLong(MAGIC);
            out.writeInt(commands.size());
            for (Command command : commands) {
                byte[] one = CommandBytes.write(command);
                out.writeInt(one.length);
                out.write(one);
            }
            out.flush();
            bytes.getFD().sync();
        }
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /// Reads what [#write] wrote.
    static SubnetState read(Path file) throws IOException {
        try (DataInputStream in =
                new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
            long magic = in.readLong();
            int count = in.readInt();
            if (magic != MAGIC || count < 0 || count > COUNT_MAX) {
                throw new IOException("%s is no state of subnet managers".formatted(file));
            }
            SubnetState state = new SubnetState();
            for (int i = 0; i < count; i++) {
                int length = in.readInt();
                if (length < 0 || length > Batch.BYTES_MAX) {
                    throw new IOException("%s: command %d has %d bytes".formatted(file, i, length));
                }
                byte[] one = in.readNBytes(length);
                Command command = CommandBytes.read(one);
                if (!state.apply(command).isDone()) {
                    throw new IOException("%s: command %d is refused".formatted(file, i));
                }
            }
            return state;
        } catch (IllegalArgumentException wrong) {
            throw new IOException("%s: %s".formatted(file, wrong.getMessage()), wrong);
        }
    }
}
