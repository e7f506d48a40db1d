package dev.verbena.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AethSyndromeTest {
    @Test
    void everySyndromeHasAKindByItsUpperBits() {
        for (int syndrome = 0; syndrome < 256; syndrome++) {
            AethSyndrome.Kind expected =
                    switch (syndrome >> 5) {
                        case 0 -> AethSyndrome.Kind.ACK;
                        case 1 -> AethSyndrome.Kind.RNR_NAK;
                        case 3 -> AethSyndrome.Kind.NAK;
                        default -> AethSyndrome.Kind.RESERVED;
                    };
            assertThat(AethSyndrome.kind(syndrome)).isEqualTo(expected);
            assertThat(AethSyndrome.words(syndrome)).isNotBlank();
        }
    }

    @Test
    void syndromesAreSaidInWords() {
        assertThat(AethSyndrome.words(0x1F)).isEqualTo("ACK");
        assertThat(AethSyndrome.words(0x05)).isEqualTo("ACK credits 6");
        assertThat(AethSyndrome.words(0x2E)).isEqualTo("RNR NAK, wait 1.28 ms");
        assertThat(AethSyndrome.words(0x20)).isEqualTo("RNR NAK, wait 655.36 ms");
        assertThat(AethSyndrome.words(0x60)).isEqualTo("NAK PSN sequence error");
        assertThat(AethSyndrome.words(0x61)).isEqualTo("NAK invalid request");
        assertThat(AethSyndrome.words(0x62)).isEqualTo("NAK remote access error");
        assertThat(AethSyndrome.words(0x63)).isEqualTo("NAK remote operational error");
        assertThat(AethSyndrome.words(0x64)).isEqualTo("NAK invalid RD request");
        assertThat(AethSyndrome.words(0x65)).isEqualTo("NAK reserved code 5");
        assertThat(AethSyndrome.words(0x40)).isEqualTo("reserved syndrome 0x40");
    }

    @Test
    void creditCodesGrantTheNumbersOfTheSpecification() {
        assertThat(IntStream.range(0, 31).map(AckCredits::count))
                .containsExactly(
                        0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512,
                        768, 1024, 1536, 2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768);
        assertThatThrownBy(() -> AckCredits.count(31)).isInstanceOf(WireException.class);
    }

    @Test
    void aCreditCodeNeverGrantsMoreThanThereIs() {
        for (int available = 0; available < 40_000; available++) {
            int granted = AckCredits.count(AckCredits.code(available));
            assertThat(granted).isLessThanOrEqualTo(available);
            assertThat(granted).isGreaterThan(available >= 32768 ? 0 : available * 2 / 3 - 1);
        }
    }

    @Test
    void rnrTimersRiseFromTenMicrosecondsAndCodeZeroIsTheLongest() {
        assertThat(RnrTimer.delayNs(1)).isEqualTo(10_000);
        assertThat(RnrTimer.delayNs(12)).isEqualTo(640_000);
        assertThat(RnrTimer.delayNs(25)).isEqualTo(61_440_000);
        assertThat(RnrTimer.delayNs(31)).isEqualTo(491_520_000);
        assertThat(RnrTimer.delayNs(0)).isEqualTo(655_360_000);
        for (int code = 2; code < 32; code++) {
            assertThat(RnrTimer.delayNs(code)).isGreaterThan(RnrTimer.delayNs(code - 1));
            assertThat(RnrTimer.code(RnrTimer.delayNs(code))).isEqualTo(code);
            assertThat(RnrTimer.code(RnrTimer.delayNs(code) - 1)).isEqualTo(code);
        }
        assertThat(RnrTimer.code(500_000_000)).isZero();
    }
}
