package dev.verbena.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostTest {
    @Test
    void aRecordOfARecordSaysTheSame() throws IOException {
        for (String name : Records.HEALTHY) {
            String record = Records.text(name);
            RecordingHost host = new RecordingHost(new RecordedHost(record));
            assertThat(Check.all(host)).isEqualTo(Records.findings(record));
            assertThat(Check.all(new RecordedHost(host.record())))
                    .isEqualTo(Records.findings(record));
        }
    }

    @Test
    void aCopiedTreeSaysTheSameAsItsRecord(@TempDir Path root) throws IOException {
        String record = Records.text("rxe");
        RecordedHost recorded = new RecordedHost(record);
        for (String line : record.lines().toList()) {
            String path = line.substring(0, line.indexOf(':'));
            Path file = root.resolve(path.substring(1));
            if (recorded.names(path).isEmpty() && !Files.exists(file)) {
                Files.createDirectories(file.getParent());
                Files.writeString(file, recorded.text(path).orElse("") + "\n");
            }
        }
        assertThat(Check.all(new DirectoryHost(root))).isEqualTo(Records.findings(record));
    }

    @Test
    void whatIsNotThereIsEmptyAndNoFailure(@TempDir Path root) {
        Host host = new DirectoryHost(root);
        assertThat(host.text("/sys/class")).isEmpty();
        assertThat(host.names("/sys/class")).isEmpty();
        assertThat(host.exists("/sys/class")).isFalse();
        assertThat(host.isOpenable("/sys/class")).isFalse();
        assertThat(host.number("/sys/class", 3)).isEqualTo(3);
        assertThat(Check.all(host)).isNotEmpty();
    }
}
