package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `verbena plan` as a command: flags, files, what it writes, and errors in one line.
@Tag("command")
class PlanCommandTest {
    @TempDir Path directory;

    private Path file(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    @Test
    void aPlanNamesBothNetworksSideBySide() {
        Command plan = Command.run("plan", "--gpus", 512);
        assertThat(plan.status()).isZero();
        assertThat(plan.out()).contains("InfiniBand").contains("RoCE").contains("subnet manager");
        assertThat(plan.out()).containsPattern("switches in all +24 +12");
    }

    @Test
    void flagsReplaceWhatAFileSays() throws IOException {
        Path cluster = file("c.yaml", "gpus: 64\nfabric: ib\n");
        assertThat(Command.run("plan", cluster).out()).startsWith(" 64 GPUs");
        assertThat(Command.run("plan", cluster, "--gpus", 128).out()).startsWith(" 128 GPUs");
        assertThat(Command.run("plan", cluster, "--set", "gpus=256").out()).startsWith(" 256 GPUs");
    }

    @Test
    void aCatalogueOfTheUserIsAddedAndItsSourcesArePrinted() throws IOException {
        Path catalog =
                file(
                        "ours.yaml",
                        """
                        switches:
                          - name: T9
                            fabric: roce
                            ports:
                              400: {value: 96, source: our data sheet, date: 2026-01, mark: vendor}
                        """);
        Command plan = Command.run("plan", "--gpus", 64, "--fabric", "roce", "--catalog", catalog);
        assertThat(plan.out()).contains("T9").contains("our data sheet; 2026-01");
        assertThat(plan.out()).contains("typical watts of switch T9: no figure");
    }

    @Test
    void simRunsOnTheNetfileOfAPlan() {
        Path net = directory.resolve("plan.net");
        for (String kind : new String[] {"ib", "roce"}) {
            Command plan = Command.run("plan", "--gpus", 128, "--fabric", kind, "--topology", net);
            assertThat(plan.status()).as(plan.err()).isZero();
            Command sim = Command.run("sim", "--fabric", kind, "--topology", net, "--size", "16K");
            assertThat(sim.status()).as(sim.err()).isZero();
            assertThat(sim.out()).contains("128 hosts");
        }
    }

    @Test
    void planesAreWrittenToAFileEach() throws IOException {
        Path net = directory.resolve("plan.net");
        Command plan =
                Command.run(
                        "plan",
                        "--gpus",
                        64,
                        "--fabric",
                        "ib",
                        "--layout",
                        "planes",
                        "--topology",
                        net);
        assertThat(plan.status()).as(plan.err()).isZero();
        assertThat(net).doesNotExist();
        for (int i = 1; i <= 8; i++) {
            assertThat(Files.readString(directory.resolve("plan-%d.net".formatted(i))))
                    .contains("plane " + i);
        }
    }

    @Test
    void thePictureIsWrittenBesideTheText() throws IOException {
        Path svg = directory.resolve("plan.svg");
        Command plan = Command.run("plan", "--gpus", 64, "--picture", svg, "--json");
        assertThat(plan.out()).startsWith("{");
        assertThat(Files.readString(svg)).startsWith("<svg").contains("RoCE for 64 GPUs");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "plan | how large? give gpus, or nodes; for example --gpus 512",
                "plan --gpus x | --gpus: \"x\"; use a whole number, 1 to 8,388,608",
                "plan --gpus 8 --layout star | --layout: \"star\" is not known; use rails,",
                "plan --gpus 8 --set colour=red | --set colour is not known; use core-metres,",
                "plan --gpus 8 --fabric tcp | --fabric: \"tcp\" is not known; use ib or roce",
                "plan --gpus 8 --rate 300 | InfiniBand: the catalogue has no InfiniBand switch",
                "plan --gpus 8 --json --markdown | --json and --markdown exclude each other",
                "plan --gpus 8 --topology x | --topology writes one network: add --fabric ib",
                "plan --gpus 8388609 | --gpus: \"8388609\"; use a whole number",
                "plan --gpus 8388608 | 1,048,576 nodes of 8 NICs: use at most 1,048,576 NICs",
                "plan no-such.yaml | no-such.yaml",
            })
    void whatIsWrongIsSaidInOneLine(String line, String message) {
        Command plan = Command.run((Object[]) line.split(" ", -1));
        assertThat(plan.status()).isBetween(1, 2);
        assertThat(plan.out()).isEmpty();
        assertThat(plan.err()).contains(message).hasLineCount(1);
    }

    @Test
    void filesThatAreNoTextEndInOneLine() throws IOException {
        Path bytes = directory.resolve("bytes.yaml");
        Files.write(bytes, new byte[] {(byte) 0xFF, (byte) 0xFE, 0, 1});
        Path large = file("large.yaml", "#".repeat(5 << 20));
        for (Path wrong : new Path[] {bytes, large, directory}) {
            for (Command plan :
                    new Command[] {
                        Command.run("plan", wrong),
                        Command.run("plan", "--gpus", 8, "--catalog", wrong)
                    }) {
                assertThat(plan.status()).isBetween(1, 2);
                assertThat(plan.err()).hasLineCount(1).contains(wrong.toString());
            }
        }
    }
}
