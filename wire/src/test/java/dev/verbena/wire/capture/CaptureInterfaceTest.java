package dev.verbena.wire.capture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.testkit.Seed;
import java.math.BigInteger;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CaptureInterfaceTest {
    @Test
    void agreesWithUnboundedArithmeticForEveryResolution() {
        SplittableRandom random = Seed.forTest("CaptureInterfaceTest", 0x7E51).random();
        for (long i = Seed.campaign(1_000); i > 0; i--) {
            for (int resolution = 0; resolution < 256; resolution++) {
                long ticks = random.nextLong() >>> random.nextInt(64);
                long offset =
                        random.nextBoolean() ? 0 : random.nextLong() >> (20 + random.nextInt(44));
                CaptureInterface one =
                        new CaptureInterface(LinkType.ETHERNET, 0, resolution, offset);
                assertThat(one.toNs(ticks))
                        .as("resolution %d, ticks %x, offset %d", resolution, ticks, offset)
                        .isEqualTo(expected(resolution, ticks, offset));
            }
        }
    }

    private static long expected(int resolution, long ticks, long offset) {
        BigInteger billion = BigInteger.valueOf(1_000_000_000);
        BigInteger unit = BigInteger.valueOf(resolution >= 128 ? 2 : 10).pow(resolution & 127);
        BigInteger ns = new BigInteger(Long.toUnsignedString(ticks)).multiply(billion).divide(unit);
        BigInteger shift = BigInteger.valueOf(offset).multiply(billion);
        BigInteger sum = ns.add(shift);
        boolean fits = ns.bitLength() < 64 && shift.bitLength() < 64 && sum.bitLength() < 64;
        return fits ? sum.longValueExact() : CaptureInterface.OUT_OF_RANGE;
    }
}
