package dev.verbena.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.ProtectionDomain;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// A file may be cut short under its mapping, and touching it then would end the JVM.
class MappedMemoryTest {
    @TempDir private Path folder = Path.of("");

    @Test
    void memoryOfAMappedFileIsNotRegistered() throws IOException {
        Path file = Files.write(folder.resolve("mapped"), new byte[8192]);
        try (FileChannel channel =
                        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
                Arena arena = Arena.ofShared();
                Device device = new Loopback(4096).open("device");
                ProtectionDomain domain = device.protectionDomain()) {
            MemorySegment mapped =
                    channel.map(FileChannel.MapMode.READ_WRITE, 0, 8192, arena).asSlice(4096);
            assertThatThrownBy(() -> domain.register(mapped, Access.REMOTE_READ))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("mapped file")
                    .hasMessageContaining("ProtectionDomain.allocate");
        }
    }

    /// Such a segment does not say that it is a file's.
    @Test
    @EnabledOnOs(OS.LINUX)
    void memoryOfAViewOfAMappedFileIsNotRegistered() throws IOException {
        Path file = Files.write(folder.resolve("viewed"), new byte[8192]);
        try (FileChannel channel =
                        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
                Device device = new Loopback(4096).open("device");
                ProtectionDomain domain = device.protectionDomain()) {
            MemorySegment view =
                    MemorySegment.ofBuffer(
                            channel.map(FileChannel.MapMode.READ_WRITE, 0, 8192).asLongBuffer());
            assertThat(view.isMapped()).isFalse();

            assertThatThrownBy(() -> domain.register(view, Access.REMOTE_READ))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("mapped file");
        }
    }
}
