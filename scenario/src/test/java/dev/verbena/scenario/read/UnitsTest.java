package dev.verbena.scenario.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("rules")
class UnitsTest {
    @Test
    void sizesAreBinaryAsInPerftest() {
        assertThat(Units.bytes("65536")).isEqualTo(65_536);
        assertThat(Units.bytes("64K")).isEqualTo(65_536);
        assertThat(Units.bytes("1.5MiB")).isEqualTo(1_572_864);
        assertThat(Units.bytes("2G")).isEqualTo(2L << 30);
    }

    @Test
    void aSizeThatIsReadInTwoWaysIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Units.bytes("64MB"))
                .withMessageContaining("write 64M");
    }

    @Test
    void timesNeedAUnit() {
        assertThat(Units.ps("1.5us")).isEqualTo(1_500_000);
        assertThat(Units.ps("2ms")).isEqualTo(2_000_000_000L);
        assertThat(Units.ps("0")).isZero();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Units.ps("10"))
                .withMessageContaining("no unit");
    }

    @Test
    void ratesAreInBits() {
        assertThat(Units.rate("400Gb/s").bitsPerSecond()).isEqualTo(400_000_000_000L);
        assertThat(Units.rate("4xHDR").bitsPerSecond()).isEqualTo(200_000_000_000L);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Units.rate("50GB/s"))
                .withMessageContaining("write 400Gb/s");
    }

    @Test
    void ratiosHaveAColonOrNone() {
        assertThat(Units.ratio("4:1")).isEqualTo(4);
        assertThat(Units.ratio("3:2")).isEqualTo(1.5);
        assertThatIllegalArgumentException().isThrownBy(() -> Units.ratio("0:1"));
    }

    @Test
    void theNearestWordIsFoundAndAnotherWordIsNot() {
        List<String> known = List.of("senders", "size", "to");
        assertThat(Nearest.to("sendres", known)).contains("senders");
        assertThat(Nearest.to("qwertyuiop", known)).isEmpty();
    }
}
