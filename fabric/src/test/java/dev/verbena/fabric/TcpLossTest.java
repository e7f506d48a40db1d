package dev.verbena.fabric;

import static dev.verbena.fabric.TcpWorld.LOSSY;
import static dev.verbena.fabric.TcpWorld.MS;
import static dev.verbena.fabric.TcpWorld.US;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// TCP over a cable that loses packets at random.
class TcpLossTest {
    private static final Rate LINE = Rate.gbits(100);

    /// Mathis, Semke, Mahdavi and Ott (1997): 1.22 segments over the square root of the losses in
    /// each round trip. Their losses come at equal distances; here each packet is lost for itself,
    /// and the mean of three seeds is within a tenth.
    @ParameterizedTest
    @ValueSource(doubles = {0.0003, 0.001, 0.003})
    void theRateUnderRandomLossIsThatOfMathis(double loss) {
        long delayPs = 25 * US;
        double trips = 0;
        double windows = 0;
        for (long seed = 1; seed <= 3; seed++) {
            Fabric fabric =
                    new Fabric(
                            TcpWorld.bottleneck(1, LINE),
                            TcpWorld.settings(delayPs, 64 << 20).withSeed(seed));
            fabric.fault(CableFault.loss(0, loss));
            TcpFlow flow =
                    TcpFlow.start(
                            fabric,
                            Flow.of(0, 1, 1L << 40),
                            LOSSY,
                            TcpSettings.DEFAULT.withAck(1, MS).withMinTimeoutPs(MS));
            fabric.run(50 * MS);
            long before = flow.deliveredBytes();
            fabric.run(1_050 * MS);
            double segments = (flow.deliveredBytes() - before) / (double) TcpWorld.SEGMENT;
            trips += 1_000.0 * MS / TcpWorld.roundTripPs(delayPs, LINE);
            windows += segments;
        }
        double expected = 1.22 / Math.sqrt(loss);
        assertThat(windows / trips / expected).isCloseTo(1, within(0.1));
    }
}
