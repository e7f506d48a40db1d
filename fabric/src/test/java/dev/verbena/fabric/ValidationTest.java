package dev.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What can be worked out on paper must come out, to the picosecond where it is a time; and the
/// page that says so is of this code. `-Ddocs=write` writes it anew.
class ValidationTest {
    private static final Path PAGE =
            Path.of(System.getProperty("verbena.root", ".."), "docs/validation.md");

    private static final String HEAD =
            """
            <!-- Written by ValidationTest with -Ddocs=write; change the test, not this page. -->
            # What the simulation is held against

            Every row is run and compared by `./mvnw -pl fabric -am verify`. The setting:
            links of 400 Gb/s, 64 bytes around every payload of 4,096 and in every
            acknowledgement, one acknowledgement for each packet, store and forward
            unless said, and

            * P = 83.2 ns, a packet; A = 1.28 ns, an acknowledgement;
            * D = 500 ns, for every link and again for every switch.

            | what | worked out as | expected | simulated | error | | rests on |
            |---|---|---:|---:|---:|---|---|
            """;

    private static final String FOOT =
            """

            "Theory" is arithmetic on the model's own rules: it shows that links, buffers,
            pauses and credits do what they say, not that hardware does the same. "htsim" is
            uet-htsim's `htsim_roce` with the same parameters. Nothing here rests on
            published hardware figures yet.

            The rows of DCQCN have packets of 1,024 bytes and no pauses. The fluid model takes
            marks for independent and rates for constant between them; a queue may be up to 1.75
            times as long as its fixed point, and is longer at every number of flows
            (`DcqcnTheoryTest`, which also has 128 flows, and the time until two flows are fair).

            The rows of shifts give the time of the slowest flow: that of a flow which is alone
            in the fabric. `FixedRoutesTest` follows the routes of every shift from switch to
            switch, on trees of many sizes, and counts the flows on each link;
            [sim.md](sim.md#routes) says what holds for which tree.
            """;

    @Test
    void whatIsWorkedOutOnPaperComesOutAndThePageSaysSo() throws IOException {
        List<Validation> all = Validation.all();
        assertThat(all).allSatisfy(one -> assertThat(one.isRight()).as(one.toString()).isTrue());

        StringBuilder page = new StringBuilder(HEAD);
        all.forEach(one -> page.append(one.row()));
        page.append(FOOT).append(RoutingValidation.unmet());
        if (System.getProperty("docs", "").equals("write")) {
            Files.writeString(PAGE, page);
        }
        assertThat(Files.readString(PAGE))
                .as("stale page: write it anew with -Ddocs=write")
                .isEqualTo(page.toString());
    }
}
