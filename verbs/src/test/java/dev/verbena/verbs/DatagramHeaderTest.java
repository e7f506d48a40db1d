package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class DatagramHeaderTest {
    private static final Gid HERE = Gid.parse("2001:db8::1");
    private static final Gid THERE = Gid.parse("ff12::5");

    @Test
    void ipv6HeaderIsRead() {
        MemorySegment memory = MemorySegment.ofArray(new byte[50]);
        Headers.ipv6(memory, 3, 0xE1, 0xF_1234, HERE, THERE);

        assertThat(DatagramHeader.isIpv4(memory, 3)).isFalse();
        assertThat(DatagramHeader.source(memory, 3)).isEqualTo(HERE);
        assertThat(DatagramHeader.destination(memory, 3)).isEqualTo(THERE);
        assertThat(DatagramHeader.trafficClass(memory, 3)).isEqualTo(0xE1);
        assertThat(DatagramHeader.flowLabel(memory, 3)).isEqualTo(0xF_1234);
    }

    @Test
    void ipv4HeaderIsReadWhateverLiesBeforeIt() {
        SplittableRandom random = new SplittableRandom(5);
        byte[] noise = new byte[60];
        for (int i = 0; i < 1000; i++) {
            random.nextBytes(noise);
            MemorySegment memory = MemorySegment.ofArray(noise);
            int source = random.nextInt();
            int target = random.nextInt();
            Headers.ipv4(memory, 7, i & 0xFF, source, target);

            assertThat(DatagramHeader.isIpv4(memory, 7)).isTrue();
            assertThat(DatagramHeader.source(memory, 7)).isEqualTo(mapped(source));
            assertThat(DatagramHeader.destination(memory, 7)).isEqualTo(mapped(target));
            assertThat(DatagramHeader.trafficClass(memory, 7)).isEqualTo(i & 0xFF);
            assertThat(DatagramHeader.flowLabel(memory, 7)).isZero();
        }
    }

    /// A header that textbooks compute the checksum of.
    @Test
    void knownIpv4HeaderIsKnown() {
        byte[] header = HexFormat.of().parseHex("45000073000040004011b861c0a80001c0a800c7");
        MemorySegment memory = MemorySegment.ofArray(new byte[40]);
        memory.asSlice(20).copyFrom(MemorySegment.ofArray(header));

        assertThat(DatagramHeader.isIpv4(memory, 0)).isTrue();
        assertThat(DatagramHeader.source(memory, 0)).isEqualTo(Gid.parse("192.168.0.1"));
        assertThat(DatagramHeader.destination(memory, 0)).isEqualTo(Gid.parse("192.168.0.199"));
    }

    /// As Soft-RoCE shows a datagram that it gave to itself.
    @Test
    void headerWithoutItsChecksumIsKnownIfItIsOfUdp() {
        byte[] header = HexFormat.of().parseHex("45000073000040004011" + "0000c0a80001c0a800c7");
        MemorySegment memory = MemorySegment.ofArray(new byte[40]);
        memory.asSlice(20).copyFrom(MemorySegment.ofArray(header));

        assertThat(DatagramHeader.isIpv4(memory, 0)).isTrue();
        memory.set(ValueLayout.JAVA_BYTE, 0, (byte) 0x60);
        assertThat(DatagramHeader.isIpv4(memory, 0)).as("behind what begins as IPv6").isFalse();
    }

    @Test
    void anyWrongBitMakesItSomethingElse() {
        MemorySegment memory = MemorySegment.ofArray(new byte[40]);
        Headers.ipv4(memory, 0, 0, 0x0A00_0001, 0x0A00_0002);
        for (int bit = 160; bit < 320; bit++) {
            flip(memory, bit);
            assertThat(DatagramHeader.isIpv4(memory, 0)).as("bit %d", bit).isFalse();
            flip(memory, bit);
        }
        assertThat(DatagramHeader.isIpv4(memory, 0)).isTrue();
    }

    private static void flip(MemorySegment memory, int bit) {
        byte value = memory.get(ValueLayout.JAVA_BYTE, bit / 8);
        memory.set(ValueLayout.JAVA_BYTE, bit / 8, (byte) (value ^ (0x80 >> (bit % 8))));
    }

    private static Gid mapped(int address) {
        return new Gid(0, 0xFFFF_0000_0000L | (address & 0xFFFF_FFFFL));
    }
}
