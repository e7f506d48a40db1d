package dev.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Incasts under each kind of control, and the page that has them. `-Ddocs=write` writes it anew.
@Tag("long")
class CongestionTableTest {
    private static final Path PAGE =
            Path.of(System.getProperty("verbena.root", ".."), "docs/congestion-table.md");

    private static final String HEAD =
            """
            <!-- Written by CongestionTableTest with -Ddocs=write; change the test, not this \
            page. -->
            # Incasts, with and without congestion control

            10 MiB from each sender to one receiver at one switch, all at once: MTU 4096, cables of
            20 m, a buffer of 64 MiB, pauses at a quarter of what is free, seed 1. The link is the \
            one
            to the receiver; its use is the part of the time, until the last flow was over, in which
            it was busy.

            | incast | link | control | use | mean queue [kB] \
            | longest queue [kB] | pauses | CNPs | last flow [ms] |
            |---|---|---|---:|---:|---:|---:|---:|---:|
            """;

    private static final String FOOT =
            """

            `verbena sim --tiers 1 --hosts N --pattern incast --senders N-1 --size 10M --rate R --cc
            NAME` runs nearly the same: it has headroom for one priority and not for eight, and
            hosts start within the time of a packet. [congestion.md](congestion.md) explains the
            names, [decision 29](decisions/0029-congestion-that-keeps-the-line.md) the figures.
            """;

    /// The least use of the link that production parameters leave of an incast 32:1.
    private static final double LEAST_USE = 0.85;

    @Test
    void productionParametersKeepTheLineAndThePageSaysWhatTheOthersDo() throws IOException {
        List<CongestionTable> all = CongestionTable.all();
        StringBuilder page = new StringBuilder(HEAD);
        all.forEach(one -> page.append(one.row()));
        page.append(FOOT);
        if (System.getProperty("docs", "").equals("write")) {
            Files.writeString(PAGE, page);
        }
        assertThat(all)
                .filteredOn(one -> one.control() == CongestionTable.Control.PRODUCTION)
                .filteredOn(one -> one.senders() == 32)
                .hasSize(2)
                .allSatisfy(one -> assertThat(one.use()).as(one.row()).isGreaterThan(LEAST_USE));
        assertThat(Files.readString(PAGE))
                .as("stale page: write it anew with -Ddocs=write")
                .isEqualTo(page.toString());
    }
}
