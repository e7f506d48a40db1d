package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("command")
class DoctorCommandTest {
    private static final Path RXE = Path.of("src/test/resources/doctor/rxe.txt");

    @Test
    void aHealthyHostEndsWithNothingToComplainOf() {
        Command command = Command.run("doctor", "--root", RXE);
        assertThat(command.status()).isZero();
        assertThat(command.out()).endsWith("nothing to complain of, 3 notes\n");
    }

    @Test
    void anErrorIsTheExitStatusAndHasEvidenceRemedyAndCommand(@TempDir Path directory)
            throws IOException {
        Path host = directory.resolve("host.txt");
        String record = Files.readString(RXE).replace("/dev/infiniband/uverbs0:\n", "");
        Files.writeString(host, record);
        Command command = Command.run("doctor", "--root", host);
        assertThat(command.status()).isEqualTo(1);
        assertThat(command.out())
                .contains(
                        """
                        devices
                          error    VD103  rxe0 is in sysfs, its file is not in /dev
                                          /sys/class/infiniband_verbs/uverbs0/ibdev: rxe0
                                          /dev/infiniband/uverbs0: not there
                                          In a container, hand the files in; else load ib_uverbs.
                                          $ docker run --device=/dev/infiniband …
                        """)
                .endsWith("1 error, 0 warnings, 3 notes\n");
    }

    @Test
    void jsonHasTheSumsAndEveryFinding() {
        Command command = Command.run("doctor", "--json", "--root", RXE);
        assertThat(command.out())
                .startsWith("{\"findings\":[{\"code\":\"VD404\",\"severity\":\"note\"")
                .endsWith("\"errors\":0,\"warnings\":0,\"notes\":3}\n");
    }

    @Test
    void aQuoteInAFileIsEscapedInJson(@TempDir Path directory) throws IOException {
        Path host = directory.resolve("host.txt");
        String state = "/sys/class/infiniband/rxe0/ports/1/state:";
        Files.writeString(
                host, Files.readString(RXE).replace(state + "4: ACTIVE", state + "1: \"DOWN\\"));
        Command command = Command.run("doctor", "--json", "--root", host);

        List<String> texts = new ArrayList<>();
        try (JsonParser parser = new JsonFactory().createParser(command.out())) {
            while (parser.nextToken() != null) {
                texts.add(parser.getText());
            }
        }
        assertThat(texts).contains("rxe0/1 is \"DOWN\\", state + " 1: \"DOWN\\");
        assertThat(command.status()).isEqualTo(1);
    }

    @Test
    void thisHostIsLookedAtWithoutAFailure() {
        Command command = Command.run("doctor");
        assertThat(command.err()).isEmpty();
        assertThat(command.out()).contains("VD904");
    }

    @Test
    void whatIsNoHostIsToldSo(@TempDir Path directory) {
        Command command = Command.run("doctor", "--root", directory);
        assertThat(command.status()).isEqualTo(2);
        assertThat(command.err()).contains("neither /proc nor /sys");
    }
}
