package dev.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.MathContext;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class Kp4Test {
    private static final MathContext DIGITS = new MathContext(60);

    /// The same sum, in sixty digits.
    static double exactly(String bitErrors) {
        BigDecimal right = BigDecimal.ONE.subtract(new BigDecimal(bitErrors)).pow(10, DIGITS);
        BigDecimal wrong = BigDecimal.ONE.subtract(right);
        BigDecimal choices = BigDecimal.ONE;
        BigDecimal sum = BigDecimal.ZERO;
        for (int k = 0; k <= 544; k++) {
            if (k > 15) {
                BigDecimal each = choices.multiply(wrong.pow(k, DIGITS), DIGITS);
                sum = sum.add(each.multiply(right.pow(544 - k, DIGITS), DIGITS), DIGITS);
            }
            choices =
                    choices.multiply(BigDecimal.valueOf(544 - k), DIGITS)
                            .divide(BigDecimal.valueOf(k + 1), DIGITS);
        }
        return sum.doubleValue();
    }

    @ParameterizedTest
    @CsvSource({"1e-4", "2.4e-4", "1e-3", "1e-2"})
    void theCurveIsThatOfSixtyDigits(String bitErrors) {
        assertThat(Kp4.codewordLoss(Double.parseDouble(bitErrors)))
                .isCloseTo(exactly(bitErrors), Percentage.withPercentage(1e-6));
    }

    @ParameterizedTest
    @CsvSource({
        "1e-4, 1.4e-18, 4",
        "2e-4, 5.4e-14, 1",
        "2.4e-4, 8.2e-13, 1",
        "3e-4, 2.1e-11, 3",
        "5e-4, 2.8e-8, 2",
        "1e-3, 1.5e-4, 4"
    })
    void theCurveHasThePublishedPoints(double bitErrors, double lost, double percent) {
        assertThat(Kp4.codewordLoss(bitErrors)).isCloseTo(lost, Percentage.withPercentage(percent));
    }

    @Test
    void aPacketIsLostWithAnyOfItsCodewords() {
        assertThat(Kp4.packetLoss(0.1, 1)).isCloseTo(0.1, Percentage.withPercentage(1e-6));
        assertThat(Kp4.packetLoss(0.1, 641)).isCloseTo(0.19, Percentage.withPercentage(1e-6));
        assertThat(Kp4.packetLoss(0, 4160)).isZero();
    }

    @Test
    void aCableLosesAsManyPacketsAsTheCurveSays() {
        Fabric fabric = new Fabric(FatTree.single(2).topology(), Anchor.ethernet());
        fabric.fault(CableFault.bitErrors(0, 1.5e-3));
        new Stream(fabric).send(0, 1, 0, 20_000, 0);
        fabric.run(10_000_000_000L);
        double expected = Kp4.packetLoss(Kp4.codewordLoss(1.5e-3), 4160);
        double sigma = Math.sqrt(expected * (1 - expected) / 20_000);
        assertThat(fabric.counts().lost() / 20_000.0)
                .isBetween(expected - 3 * sigma, expected + 3 * sigma);
    }
}
