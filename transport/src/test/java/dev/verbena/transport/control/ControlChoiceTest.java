package dev.verbena.transport.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ControlChoiceTest {
    private static final ControlFacts LINE = new ControlFacts(100_000_000_000L, 4096, 10_000);

    @Test
    void controllersAreFoundByName() {
        assertThat(ControlChoice.names()).contains("nscc", "swift");
        ControlChoice choice = ControlChoice.named("swift", LINE, Map.of("beta", 0.5));

        assertThat(choice.parameters()).containsEntry("beta", 0.5).containsEntry("base", 1.25);
        assertThat(choice.make(1024, 0)).isInstanceOf(Swift.class);
    }

    @Test
    void aNameThatDoesNotExistIsRefusedWithThoseThatDo() {
        assertThatThrownBy(() -> ControlChoice.named("bbr", LINE, Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'bbr'")
                .hasMessageContaining("nscc, swift");
    }

    @Test
    void aParameterThatDoesNotExistIsRefusedWithThoseThatDo() {
        assertThatThrownBy(() -> ControlChoice.named("nscc", LINE, Map.of("beta", 0.5)))
                .hasMessageContaining("nscc has no parameter 'beta'")
                .hasMessageContaining("gamma");
    }

    @Test
    void aValueThatTheControllerRefusesIsRefusedBeforeTheFirstConnection() {
        for (String name : new String[] {"swift", "nscc"}) {
            ControlProvider provider = ControlChoice.named(name, LINE, Map.of()).provider();
            for (String parameter : provider.parameters().keySet()) {
                for (double value : new double[] {0, -1, Double.NaN, 1e12}) {
                    assertThatThrownBy(
                                    () -> ControlChoice.named(name, LINE, Map.of(parameter, value)))
                            .as("%s = %s", parameter, value)
                            .hasMessageContaining(name + "'s " + parameter);
                }
            }
        }
    }

    @Test
    void aLimitOfTheProgramIsTheLineOfTheController() {
        ControlChoice choice = ControlChoice.named("nscc", LINE, Map.of());
        Nscc free = (Nscc) choice.make(4096, 0);
        Nscc limited = (Nscc) choice.make(4096, 10_000_000_000L);

        assertThat(limited.window()).isEqualTo(free.window() / 10);
    }
}
