package dev.verbena.roce;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PaceTest {
    /// What the kernel gives for the usual limit of 212,992, and for four megabytes.
    @ParameterizedTest
    @CsvSource({"425984, 4096, 30, 15", "425984, 1024, 113, 56", "8388608, 4096, 690, 165"})
    void windowFitsTheReceiveBuffer(int buffer, int mtu, int window, int every) {
        Pace pace = Pace.of(buffer, mtu, false);

        assertThat(pace.windowPackets()).isEqualTo(window);
        assertThat(pace.ackRequestEvery()).isEqualTo(every);
        // Each alone, the packets of a window take no more than the buffer.
        assertThat((long) pace.windowPackets() * (2 * mtu + 768)).isLessThan(buffer);
    }

    @ParameterizedTest
    @CsvSource({
        "212992, 4096, 30, 15",
        "425984, 4096, 75, 15",
        "425984, 1024, 248, 62",
        "8388608, 4096, 690, 165"
    })
    void trainsFitTheReceiveBuffer(int buffer, int mtu, int window, int every) {
        Pace pace = Pace.of(buffer, mtu, true);

        assertThat(pace.windowPackets()).isEqualTo(window);
        assertThat(pace.ackRequestEvery()).isEqualTo(every);
        // In trains, the packets of a window take no more than three quarters of the buffer.
        assertThat((long) window * (mtu + 16)).isLessThan(buffer / 4L * 3);
    }

    @ParameterizedTest
    @CsvSource({"4096, 15, 61680", "1024, 62, 64480", "256, 64, 17408"})
    void burstIsOneTrain(int mtu, int packets, int bytes) {
        assertThat(Pace.of(1 << 23, mtu, true).burstBytes()).isEqualTo(bytes);
        assertThat(bytes / (mtu + 16)).isEqualTo(packets);
    }
}
