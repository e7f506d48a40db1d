package dev.verbena.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Gid;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class SocketAddressTest {
    @Test
    void ipv4IsWrittenAsSocketsHaveIt() {
        SocketAddress address = new SocketAddress(Gid.parse("192.0.2.10"), 7471, 0);

        // The family in the order of the machine, all else in that of the network.
        assertThat(hex(address)).isEqualTo("02001d2fc000020a" + "00".repeat(20));
        assertThat(back(address)).isEqualTo(address);
    }

    @Test
    void ipv6IsWrittenWithItsInterface() {
        SocketAddress address = new SocketAddress(Gid.parse("fe80::1"), 65535, 3);

        assertThat(hex(address))
                .isEqualTo("0a00ffff00000000" + "fe80" + "00".repeat(13) + "01" + "03000000");
        assertThat(back(address)).isEqualTo(address);
    }

    @Test
    void anAddressOfAnotherFamilyIsNobodys() {
        try (Arena arena = Arena.ofConfined()) {
            long at = arena.allocate(SocketAddress.SIZE, Long.BYTES).address();
            Memory.putShort(at, 27);

            assertThat(SocketAddress.read(at).gid()).isEqualTo(Gid.NONE);
        }
    }

    private static String hex(SocketAddress address) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = arena.allocate(SocketAddress.SIZE, Long.BYTES);
            segment.fill((byte) -1);
            address.write(segment.address());
            return HexFormat.of().formatHex(Memory.bytes(segment.address(), SocketAddress.SIZE));
        }
    }

    private static SocketAddress back(SocketAddress address) {
        try (Arena arena = Arena.ofConfined()) {
            long at = arena.allocate(SocketAddress.SIZE, Long.BYTES).address();
            address.write(at);
            return SocketAddress.read(at);
        }
    }
}
