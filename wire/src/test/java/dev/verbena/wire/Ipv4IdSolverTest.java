package dev.verbena.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.testkit.Seed;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class Ipv4IdSolverTest {
    private final Icrc icrc = new Icrc();
    private final IcrcPseudoHeader header =
            new IcrcPseudoHeader().setIpv4(0x0A000001, 0x0A000002, 0xC123, Udp.ROCE_PORT);

    @Test
    void findsEveryIdentificationInPacketsOfEveryLength() {
        SplittableRandom random = Seed.forTest("Ipv4IdSolverTest", 7).random();
        for (int length = 12; length <= 4200; length += 4) {
            MemorySegment packet = randomBytes(random, length);
            int id = random.nextInt(0x10000);
            int received = icrc.compute(header, id, packet, 0, length);

            assertThat(solve(packet, length, received)).isEqualTo(id);
        }
        MemorySegment packet = randomBytes(random, 64);
        for (int id = 0; id <= 0xFFFF; id++) {
            int received = icrc.compute(header, id, packet, 0, 64);
            assertThat(solve(packet, 64, received)).isEqualTo(id);
        }
    }

    @Test
    void nothingFitsALengthThatNoPacketHas() {
        assertThat(Ipv4IdSolver.solve(0, 0, 65_504)).isZero();
        assertThat(Ipv4IdSolver.solve(0, 0, 65_508)).isEqualTo(Ipv4IdSolver.NONE);
        assertThat(Ipv4IdSolver.solve(0, 0, 1 << 30)).isEqualTo(Ipv4IdSolver.NONE);
        assertThat(Ipv4IdSolver.solve(0, 0, 18)).isEqualTo(Ipv4IdSolver.NONE);
        assertThat(Ipv4IdSolver.solve(0, 0, -28)).isEqualTo(Ipv4IdSolver.NONE);
    }

    /// The rate that the documentation states: damaged packets slip through with 2^-16, and with
    /// 2^-25 when only small identifications are taken.
    @Test
    void acceptsDamagedPacketsAtTheStatedRate() {
        SplittableRandom random = Seed.forTest("Ipv4IdSolverTest rate", 11).random();
        long tries = Seed.campaign(10_000_000);
        MemorySegment packet = randomBytes(random, 64);
        int computed = icrc.compute(header, 0, packet, 0, 64);
        long accepted = 0;
        long strong = 0;
        for (long i = 0; i < tries; i++) {
            int id = Ipv4IdSolver.solve(computed, random.nextInt(), 64);
            accepted += id == Ipv4IdSolver.NONE ? 0 : 1;
            strong += id >= 0 && id < Ipv4IdSolver.STRONG_BELOW ? 1 : 0;
        }

        double expected = tries / 65536.0;
        System.out.printf(
                "Ipv4IdSolverTest: %,d damaged packets, %d accepted (2^-16 is %.0f),"
                        + " %d with a small identification (2^-25 is %.1f)%n",
                tries, accepted, expected, strong, tries / 33554432.0);
        // Five standard deviations of a binomial count on either side.
        assertThat((double) accepted)
                .isBetween(expected - 5 * Math.sqrt(expected), expected + 5 * Math.sqrt(expected));
        assertThat(strong).isLessThanOrEqualTo(10 + tries / 3_000_000);
    }

    private int solve(MemorySegment packet, int length, int received) {
        return Ipv4IdSolver.solve(icrc.compute(header, 0, packet, 0, length), received, length);
    }

    private static MemorySegment randomBytes(SplittableRandom random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return MemorySegment.ofArray(bytes);
    }
}
