package dev.verbena.roce;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbena.testkit.Seed;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Attacks on what is between the socket and the transport: datagrams that are no packets, trains
/// that lie, checksums, and floods. A bystander connection works all the while.
@Tag("attack")
class CarrierAttackTest {
    private static final int[] LENGTHS = {0, 1, 3, 4, 11, 12, 15, 16, 17, 27, 28, 4200, 65_507};
    private static final int PORTS = 300;

    /// A sender with so many sound packets in a row is held to what it did.
    private static final int STRICT_AFTER = 1024;

    @ParameterizedTest(name = "{0}, {1}")
    @CsvSource({
        "IPv4, progress=thread",
        "IPv4, progress=thread&path=portable",
        "IPv6, progress=thread",
        "IPv6, progress=thread&path=portable",
        "IPv4, progress=caller",
        "IPv6, progress=caller&path=portable",
    })
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void nothingOfItGetsThrough(String family, String options) throws InterruptedException {
        boolean isIpv4 = family.equals("IPv4");
        assumeTrue(isIpv4 || TestAddresses.hasIpv6(), "this machine has no ::1");
        SplittableRandom random = Seed.forTest("CarrierAttackTest", 5).random();
        try (CarrierUnderAttack hold =
                new CarrierUnderAttack(new SocketAttackNetwork(isIpv4, options))) {
            for (int length : LENGTHS) {
                hold.fire(bytes(random, length));
                hold.fire(new byte[length]);
            }
            hold.requireUntouched("datagrams that are no packets");
            wrongChecksums(hold, random);
            hold.requireUntouched("wrong checksums");
            for (int i = 0; i < 300; i++) {
                hold.write(hold.pair(), 0);
                hold.firePassedOn(i % 16, i < 32 ? i / 16 - 1 : random.nextLong());
            }
            hold.requireUntouched("packets as if another device here had passed them on");
            unknownPairs(hold, random);
            hold.requireUntouched("queue pairs that do not exist");
            if (isIpv4) {
                otherIdentification(hold);
                hold.requireUntouched("another identification, after many with the right one");
            }
            if (NativeAccess.absence().isEmpty()) {
                trains(hold, random);
                hold.requireUntouched("trains of any length");
            }
            flood(hold);
            hold.requireUntouched("a flood from " + PORTS + " ports");
            hold.requireAlive();
            System.out.printf(
                    "CarrierAttackTest, %s, %s: %,d datagrams; bystander requests meanwhile %,d,"
                            + " none failed; %s%n",
                    family, options, hold.fired(), hold.innocentDone(), hold.drops());
        }
    }

    private static byte[] bytes(SplittableRandom random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /// A perfect WRITE, but for one bit of it or of its checksum.
    private static void wrongChecksums(CarrierUnderAttack hold, SplittableRandom random) {
        int length = hold.write(hold.pair(), 0);
        for (int i = 0; i < 500; i++) {
            int at = random.nextInt(length);
            byte bit = (byte) (1 << random.nextInt(8));
            hold.write(hold.pair(), 0);
            // The two fields that the ICRC does not cover, for routers to change.
            if (at != CarrierUnderAttack.RESERVED_AT && hold.spoil(at, bit)) {
                hold.fire();
            }
        }
    }

    private static void unknownPairs(CarrierUnderAttack hold, SplittableRandom random) {
        for (int i = 0; i < 500; i++) {
            int number = random.nextInt(2, 0xFF_FFFF);
            if (!hold.exists(number)) {
                hold.write(number, 0);
                hold.fire();
            }
        }
    }

    /// From IPv4 the identification cannot be seen; it is believed until a sender has shown that it
    /// has one kind only.
    private static void otherIdentification(CarrierUnderAttack hold) {
        // Until the device has seen so many: one whose thread is late drops what comes meanwhile.
        long before = hold.unknownPairs();
        while (hold.unknownPairs() < before + STRICT_AFTER) {
            hold.write(hold.unused(), 0);
            hold.fire();
        }
        for (int i = 0; i < 15; i++) {
            hold.write(hold.pair(), 0x1234 + i);
            hold.fire();
        }
    }

    /// The kernel cuts them up, or hands them over in one piece with the length of each: whole
    /// packets cut at the wrong place, and pieces of every length.
    private static void trains(CarrierUnderAttack hold, SplittableRandom random) {
        int length = hold.write(hold.pair(), 0);
        try (TrainSender sender = new TrainSender(hold.network())) {
            for (int i = 0; i < 300; i++) {
                int segment = random.nextInt(1, 1400);
                if (segment == length) {
                    continue;
                }
                int count = random.nextInt(2, 40);
                int rest = random.nextInt(1, segment + 1);
                MemorySegment train = sender.memory((count - 1) * segment + rest);
                for (long at = 0; at + length <= train.byteSize(); at += length) {
                    MemorySegment.copy(hold.packet(), 0, train, at, length);
                }
                sender.fire(train, segment);
                hold.countTrain(count);
            }
        }
    }

    private static void flood(CarrierUnderAttack hold) {
        for (int port = 0; port < PORTS; port++) {
            try (OtherPortSender sender = new OtherPortSender(hold.network())) {
                for (int i = 0; i < 20; i++) {
                    hold.write(hold.unused(), 0);
                    sender.fire(hold.packet(), hold.length(), i % 2 == 0);
                    hold.countTrain(1);
                }
            }
        }
    }
}
