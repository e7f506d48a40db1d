package dev.verbena.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The rows that each choice of `bin/compare` has.
class RowTest {
    @Test
    void allIsTheTransportAndTheSockets() {
        List<Row> both = new ArrayList<>(Row.of("transport"));
        both.addAll(Row.of("roce"));
        assertThat(Row.of("all")).isEqualTo(both).allMatch(Row::isGuarded);
    }

    @Test
    void memoryGuardsTheUsualWriteAlone() {
        assertThat(Row.of("memory"))
                .filteredOn(Row::isGuarded)
                .extracting(Row::name)
                .containsExactly("write allocated 64K", "write allocated 64");
    }

    @Test
    void aNameFindsItsRow() {
        for (String what : List.of("all", "memory")) {
            assertThat(Row.of(what)).allMatch(row -> Row.named(row.name()).equals(row));
        }
        assertThat(Row.of("transport")).extracting(Row::name).contains("transport: write 1M");
    }

    @Test
    void anUnknownChoiceIsRefused() {
        assertThatThrownBy(() -> Row.of("sockets")).hasMessageContaining("'sockets'");
        assertThatThrownBy(() -> Row.named("write")).hasMessageContaining("'write'");
    }
}
