package dev.verbena.roce;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Programs that use up all files, or forget a device, each in a process of its own.
@Timeout(180)
@Tag("sockets")
class CarelessProgramTest {
    private static final int FILES = 300;

    @TempDir private Path folder;

    private List<String> run(List<String> options, String... words)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.addAll(List.of("sh", "-c", "ulimit -n " + FILES + "; exec \"$@\"", "sh"));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.add("--enable-native-access=ALL-UNNAMED");
        command.addAll(List.of("-cp", PeerProcess.classPath()));
        command.add(CarelessProgram.class.getName());
        command.addAll(Arrays.asList(words));
        Path output = folder.resolve("output");
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        try {
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).as("it ends").isTrue();
        } finally {
            process.destroyForcibly();
        }
        return Files.readAllLines(output, StandardCharsets.UTF_8);
    }

    /// A device that has no file for one more socket sends by one that it has.
    @Test
    void aDeviceWithoutFilesWorksOn() throws Exception {
        assertThat(run(List.of(), "files", TestAddresses.ipv4(), TestAddresses.ipv4()))
                .contains("without files: 1 [SUCCESS]", "with files: 1 [SUCCESS]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "?share=off", "?path=portable"})
    void aDeviceThatCannotBeOpenedForWantOfFilesLeavesNoneBehind(String options) throws Exception {
        List<String> lines = run(List.of(), "opens", "roce://" + TestAddresses.ipv4() + options);
        assertThat(lines.stream().filter(line -> line.contains("left open")))
                .hasSize(CarelessProgram.FILES_OF_A_DEVICE - 1)
                .contains("refused, 0 left open, opened again")
                .allMatch(line -> line.endsWith(", 0 left open, opened again"));
    }

    @Test
    void aForgottenDeviceIsNamedWithTheWayToFindItsOpener() throws Exception {
        String address = TestAddresses.ipv4();
        assertThat(run(List.of(), "forget", address))
                .contains("forgotten")
                .anySatisfy(
                        line ->
                                assertThat(line)
                                        .contains(address)
                                        .contains("was forgotten")
                                        .contains("-Dverbena.record=true"));
    }

    @Test
    void aForgottenDeviceIsNamedWithItsOpenerWhenThatWasRecorded() throws Exception {
        assertThat(run(List.of("-Dverbena.record=true"), "forget", TestAddresses.ipv4()))
                .anySatisfy(line -> assertThat(line).contains("was forgotten"))
                .anySatisfy(line -> assertThat(line).contains("CarelessProgram.forget"));
    }
}
