package dev.verbena.job.chakra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.collectives.plan.Collective;
import dev.verbena.job.replay.Job;
import dev.verbena.job.replay.NodeKind;
import dev.verbena.job.replay.Schedule;
import dev.verbena.job.replay.TraceException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChakraTraceTest {
    private static final int RANKS = 4;

    private static Job read(ChakraGroups groups, byte[] first) throws IOException {
        ChakraTrace trace = new ChakraTrace("job", RANKS, groups);
        trace.add("job.0.et", new ByteArrayInputStream(first));
        for (int rank = 1; rank < RANKS; rank++) {
            trace.add("other", new ByteArrayInputStream(new ChakraFile().bytes()));
        }
        return trace.job();
    }

    private static Job read(byte[] first) throws IOException {
        return read(new ChakraGroups(RANKS), first);
    }

    private static byte[] with(Consumer<ChakraFile> nodes) {
        ChakraFile file = new ChakraFile();
        nodes.accept(file);
        return file.bytes();
    }

    private static byte[] all() {
        return with(
                file ->
                        file.compute(0, "first", 5, true)
                                .compute(9, "second", 0, false, 0)
                                .send(3, 100, 0, 1, 7, 0, 9)
                                .receive(4, 200, 2, 0, 8)
                                .collective(5, 6, 4096, "", 3, 4)
                                .add(ChakraFile.node(6, "load", 2, 5).number(7, 3))
                                .add(ChakraFile.node(7, "none", 1).number(4, 6).number(4, 5)));
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(bytes);
        }
        return out.toByteArray();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void nodesAreReadInTheOrderOfTheirNumbers(boolean isCompressed) throws IOException {
        Job job = read(isCompressed ? gzip(all()) : all());

        Schedule rank = job.ranks().getFirst();
        assertThat(rank.nodes()).isEqualTo(7);
        assertThat(rank.text(0)).isEqualTo("calc of 5,000 ns");
        assertThat(rank.text(1)).isEqualTo("send of 100 bytes to rank 1, tag 7");
        assertThat(rank.text(2)).isEqualTo("receive of 200 bytes from rank 2, tag 8");
        assertThat(rank.kind(3)).isEqualTo(NodeKind.COLLECTIVE);
        assertThat(rank.call(3).operation()).isEqualTo(Collective.ALL_TO_ALL);
        assertThat(rank.call(3).bytes()).isEqualTo(4096);
        assertThat(rank.text(4)).isEqualTo("calc of 3,000 ns");
        assertThat(rank.text(5)).isEqualTo("calc of 0 ns");
        assertThat(rank.text(6)).as("no time is a nanosecond").isEqualTo("calc of 1 ns");
        assertThat(rank.place(6)).isEqualTo("rank 0, node 9");
        assertThat(rank.unit(0)).as("CPU and GPU").isNotEqualTo(rank.unit(6));
        assertThat(job.groups()).containsExactly(List.of(0, 1, 2, 3));
    }

    @ParameterizedTest
    @CsvSource({"7,77", "9,77", "11,77", "13,77", "15,154", "17,154"})
    void anyKindOfWholeNumberIsTaken(int kind, long value) throws IOException {
        byte[] file =
                with(
                        it ->
                                it.add(
                                        ChakraFile.node(1, "a", 7)
                                                .attribute("comm_type", kind, 0)
                                                .attribute("comm_size", kind, value)));

        assertThat(read(file).ranks().getFirst().call(0).bytes()).isEqualTo(77);
    }

    @Test
    void numbersOfFixedLengthAreTaken() throws IOException {
        for (int kind = 19; kind <= 25; kind += 2) {
            ChakraFile.Message size = new ChakraFile.Message().text(1, "comm_size");
            if (kind == 19 || kind == 23) {
                size.fixed32(kind, 77);
            } else {
                size.fixed64(kind, 77);
            }
            byte[] file =
                    with(
                            it ->
                                    it.add(
                                            ChakraFile.node(1, "a", 7)
                                                    .attribute("comm_type", 9, 0)
                                                    .message(10, size)));
            assertThat(read(file).ranks().getFirst().call(0).bytes()).isEqualTo(77);
        }
    }

    @Test
    void groupsComeFromAFileOrFromMetadata() throws IOException {
        ChakraGroups groups = new ChakraGroups(RANKS);
        groups.add("groups.json", "{\"a\": [2, 0], \"b\": [1, 3]}");
        String inputs = "[\"[{\\\"pg_name\\\": \\\"c\\\", \\\"ranks\\\": [0, 3]}]\"]";
        byte[] file =
                with(
                        it ->
                                it.add(
                                                ChakraFile.node(1, "## process_group:init ##", 1)
                                                        .message(
                                                                8,
                                                                new ChakraFile.Message()
                                                                        .text(1, inputs)))
                                        .collective(2, 0, 8, "c")
                                        .collective(3, 0, 8, "a")
                                        .collective(4, 0, 8, "0"));

        Job job = read(groups, file);

        assertThat(job.groups()).containsExactly(List.of(0, 3), List.of(2, 0), List.of(0, 1, 2, 3));
        assertThat(job.ranks().getFirst().call(2).group()).isEqualTo(1);
        byte[] foreign = with(it -> it.collective(2, 0, 8, "b"));
        assertThatThrownBy(() -> read(groups, foreign))
                .hasMessage("job.0.et, rank 0, node 2: group 'b' does not contain this rank");
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            quoteCharacter = '`',
            value = {
                "[1] => groups.json: no object of lists of ranks",
                "{\"a\": 1} => groups.json, group a: no list of ranks",
                "{\"a\": [0, 4]} => groups.json, group a: there is no rank 4, use 0 to 3",
                "{\"a\": [0, 0]} => groups.json, group a: rank 0 is there twice",
                "{\"a\": [0], \"a\": [1]} => groups.json, character 19: 'a' is there twice",
                "{\"a\": [0 => groups.json, character 8: it ends early",
                "{\"a\": [x]} => groups.json, character 7: 'x' is no whole number",
                "{\"a => groups.json, character 3: a text without its end",
                "{} x => groups.json, character 3: text after its end",
                "[[[[[[[[[[[[[[[[[[[[ => groups.json, character 17: more than 16 levels",
            })
    void aMalformedFileOfGroupsIsNamed(String json, String expected) {
        assertThatThrownBy(() -> new ChakraGroups(RANKS).add("groups.json", json))
                .isInstanceOf(TraceException.class)
                .hasMessageContaining(expected);
    }

    private static void refused(Consumer<ChakraFile> nodes, String expected) {
        assertThatThrownBy(() -> read(with(nodes)))
                .isInstanceOf(TraceException.class)
                .hasMessage("job.0.et, rank 0, node " + expected);
    }

    /// Field 4 has the nodes that control it, field 5 those whose data it takes.
    @Test
    void aNodeWaitsForThoseThatControlIt() {
        refused(
                it -> it.add(ChakraFile.node(1, "a", 4).packed(4, 2)),
                "1: it waits for node 2, and there is none");
    }

    @Test
    void aWrongNodeIsNamed() {
        refused(it -> it.compute(1, "a", 1, true, 2), "1: it waits for node 2, and there is none");
        refused(
                it -> it.compute(1, "a", 1, true, 2).compute(2, "b", 1, true, 1),
                "1: it waits for nodes that wait for it");
        refused(
                it -> it.compute(1, "a", 1, true).compute(1, "b", 1, true),
                "1: a node of that number is there already");
        refused(it -> it.add(ChakraFile.node(5, "a", 8)), "5: type 8: use 0 to 7");
        refused(
                it -> it.compute(5, "a", -1, true),
                "5: 18446744073709551615 us are too long: 1,000,000,000,000 are the most");
        refused(it -> it.send(5, 1, 1, 2, 0), "5: comm_src 1, and this is the trace of rank 0");
        refused(it -> it.receive(5, 1, 1, 2, 0), "5: comm_dst 2, and this is the trace of rank 0");
        refused(it -> it.send(5, 1, 0, 4, 0), "5: comm_dst 4: use 0 to 3");
        refused(it -> it.send(5, 1, 0, 1, -3), "5: comm_tag -3: use 0 to 2,147,483,647");
        refused(
                it -> it.send(5, -1, 0, 1, 0),
                "5: 18446744073709551615 bytes are too many: 1,099,511,627,776 is the most");
        refused(it -> it.collective(5, 10, 8, ""), "5: comm_type 10: use 0 to 9");
        refused(
                it -> it.collective(5, 0, 8, "x"),
                "5: no group has the name 'x': hand in a file of groups");
        refused(it -> it.add(ChakraFile.node(5, "a", 7)), "5: it has no number as comm_type");
    }

    @Test
    void aFileCutOffAnywhereIsRefusedOrEndsBetweenNodes() throws IOException {
        byte[] whole = all();
        int read = 0;
        for (int length = 0; length < whole.length; length++) {
            try {
                read(Arrays.copyOf(whole, length));
                read++;
            } catch (TraceException refused) {
                assertThat(refused.getMessage()).startsWith("job.0.et").doesNotContain("\n");
            }
        }
        // After the metadata, and after each node but the last.
        assertThat(read).isEqualTo(7);
        byte[] compressed = gzip(whole);
        for (int length = 0; length < compressed.length; length++) {
            byte[] cut = Arrays.copyOf(compressed, length);
            assertThatThrownBy(() -> read(cut)).isInstanceOf(TraceException.class);
        }
    }

    @Test
    void changedBytesNeverEndInAnotherException() throws IOException {
        RandomGenerator random = new SplittableRandom(25);
        for (int run = 0; run < 20_000; run++) {
            byte[] file = run % 4 == 0 ? gzip(all()) : all();
            for (int i = random.nextInt(1, 4); i > 0; i--) {
                file[random.nextInt(file.length)] = (byte) random.nextInt(256);
            }
            try {
                assertThat(read(file).ranks()).isNotEmpty();
            } catch (TraceException refused) {
                assertThat(refused.getMessage()).startsWith("job.0.et").doesNotContain("\n");
            }
        }
    }
}
