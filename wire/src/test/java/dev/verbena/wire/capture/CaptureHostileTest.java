package dev.verbena.wire.capture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.testkit.Seed;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Files that were cut, bent or made up: reading ends in END or a named problem, every time.
class CaptureHostileTest {
    private static final int[] INTERESTING = {
        0, 1, 4, 8, 12, 13, 16, 28, 32, 255, 0x1000, 262_144, 262_145, 0x7FFF_FFFF, -1, -4
    };

    @Test
    void everyFileEndsInANamedStatusAndEveryProblemIsReached() throws IOException {
        SplittableRandom random = Seed.forTest("CaptureHostileTest", 0x0057).random();
        long files = Seed.campaign(20_000);
        Map<CaptureStatus, Long> reached = new EnumMap<>(CaptureStatus.class);
        for (long i = 0; i < files; i++) {
            byte[] file = hostile(random);
            reached.merge(readToTheEnd(file, reached), 1L, Long::sum);
        }
        System.out.println("CaptureHostileTest: " + files + " files");
        for (CaptureStatus status : CaptureStatus.values()) {
            System.out.printf("  %-22s %d%n", status, reached.getOrDefault(status, 0L));
        }
        assertThat(reached).containsOnlyKeys(CaptureStatus.values());
    }

    private static CaptureStatus readToTheEnd(byte[] file, Map<CaptureStatus, Long> reached)
            throws IOException {
        CaptureReader reader = Captures.open(file);
        long position = -1;
        long packetBytes = 0;
        while (reader.next() == CaptureStatus.PACKET) {
            reached.merge(CaptureStatus.PACKET, 1L, Long::sum);
            assertThat(reader.position()).isGreaterThan(position);
            position = reader.position();
            packetBytes += reader.packet().byteSize();
            assertThat(reader.at() + reader.length()).isLessThanOrEqualTo(reader.bufferBytes());
        }
        CaptureStatus status = reader.next();
        assertThat(packetBytes).isLessThanOrEqualTo(file.length);
        assertThat(reader.position()).isBetween(Math.max(position, 0), (long) file.length);
        assertThat(reader.problemText().isEmpty()).isEqualTo(!status.isProblem());
        assertThat(reader.bufferBytes()).isLessThanOrEqualTo(CaptureReader.PACKET_BYTES_MAX);
        return status;
    }

    private static byte[] hostile(SplittableRandom random) {
        if (random.nextInt(50) == 0) {
            return Captures.random(random, random.nextInt(200));
        }
        byte[] file = random.nextInt(3) == 0 ? pcap(random) : pcapng(random);
        int changes = random.nextInt(4);
        for (int i = 0; i < changes; i++) {
            file = change(file, random);
        }
        return file;
    }

    private static byte[] change(byte[] file, SplittableRandom random) {
        if (file.length < 4) {
            return file;
        }
        int at = random.nextInt(file.length);
        switch (random.nextInt(6)) {
            case 0 -> {
                return Arrays.copyOf(file, at);
            }
            case 1 -> file[at] ^= (byte) (1 << random.nextInt(8));
            case 2 -> file[at] = (byte) random.nextInt();
            case 3 -> overwrite(file, at & ~3, random.nextInt(), random);
            case 4 -> {
                // Takes out a piece, so that lengths lead to the middle of something else.
                int to = Math.min(file.length, at + 1 + random.nextInt(40));
                byte[] rest = Arrays.copyOf(file, file.length - (to - at));
                System.arraycopy(file, to, rest, at, file.length - to);
                return rest;
            }
            default -> {
                int value = INTERESTING[random.nextInt(INTERESTING.length)];
                overwrite(file, at & ~3, value, random);
            }
        }
        return file;
    }

    private static void overwrite(byte[] file, int at, int value, SplittableRandom random) {
        if (at + 4 <= file.length) {
            Blocks order = random.nextBoolean() ? Blocks.big() : Blocks.little();
            System.arraycopy(order.u32(value).bytes(), 0, file, at, 4);
        }
    }

    private static byte[] pcap(SplittableRandom random) {
        Blocks file = random.nextBoolean() ? Blocks.big() : Blocks.little();
        file.pcapHeader(random.nextBoolean() ? 0xA1B2C3D4 : 0xA1B23C4D, random.nextInt());
        int packets = random.nextInt(8);
        for (int i = 0; i < packets; i++) {
            byte[] packet = Captures.random(random, random.nextInt(80));
            file.pcapRecord(random.nextInt(), random.nextInt(), packet);
        }
        return file.bytes();
    }

    private static byte[] pcapng(SplittableRandom random) {
        Blocks file = random.nextBoolean() ? Blocks.big() : Blocks.little();
        int sections = 1 + random.nextInt(2);
        for (int section = 0; section < sections; section++) {
            file.section();
            boolean many = random.nextInt(100) == 0;
            int interfaces = many ? 250 + random.nextInt(10) : 1 + random.nextInt(3);
            for (int i = 0; i < interfaces; i++) {
                int snapLength = random.nextBoolean() ? 0 : 40;
                file.describe(random.nextInt(), snapLength, options(file.sub(), random));
            }
            int blocks = random.nextInt(6);
            for (int i = 0; i < blocks; i++) {
                block(file, random.nextInt(interfaces), random);
            }
        }
        return file.bytes();
    }

    private static Blocks options(Blocks options, SplittableRandom random) {
        if (random.nextBoolean()) {
            options.option(2, Captures.random(random, random.nextInt(20)));
        }
        if (random.nextBoolean()) {
            boolean odd = random.nextInt(8) == 0;
            options.option(9, new byte[] {(byte) (odd ? random.nextInt() : 9)});
        }
        if (random.nextInt(4) == 0) {
            options.option(14, options.sub().i64(random.nextInt()).bytes());
        }
        return random.nextBoolean() ? options.option(0, new byte[0]) : options;
    }

    private static void block(Blocks file, int index, SplittableRandom random) {
        byte[] packet = Captures.random(random, random.nextInt(40));
        long ticks = random.nextLong(1_800_000_000_000_000L);
        switch (random.nextInt(5)) {
            case 0 -> file.simple(packet.length, packet);
            case 1 -> file.obsolete(index, random.nextInt(), ticks, packet);
            case 2 -> file.block(random.nextInt(), Captures.random(random, 4 * packet.length));
            default -> file.enhanced(index, ticks, packet);
        }
    }
}
