package dev.verbena.virtual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.NoDeviceException;
import dev.verbena.wire.capture.CaptureReader;
import dev.verbena.wire.capture.CaptureStatus;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VirtualProviderTest {
    private static final String FAULTS =
            "seed=42&loss=0.02&reorder=0.05&duplicate=0.01&corrupt=0.001&delay=2us";

    @TempDir Path directory;

    @Test
    void twoRunsOfOneSeedLeaveTheSameFile() throws IOException {
        byte[] one = run("one.pcapng");
        byte[] other = run("other.pcapng");

        assertThat(one).isEqualTo(other).hasSizeGreaterThan(100_000);
    }

    @Test
    void theEndOfTheNameChoosesTheFormat() throws IOException {
        byte[] older = run("old.pcap");
        assertThat(older).startsWith(0x4D, 0x3C, 0xB2, 0xA1);
        try (CaptureReader reader =
                CaptureReader.open(Files.newByteChannel(directory.resolve("old.pcap")))) {
            assertThat(reader.next()).isEqualTo(CaptureStatus.PACKET);
            assertThat(reader.timestampNs()).isZero();
        }
        assertThat(run("new.pcapng")).startsWith(0x0A, 0x0D, 0x0D, 0x0A);
    }

    @Test
    void theFirstDeviceDecidesForTheNetwork() {
        try (Device left = Devices.open("virtual://left?network=n&loss=0.5&seed=0x10");
                Device right = Devices.open("virtual://right?network=n");
                Device third = Devices.open("virtual://third?network=n&loss=0.50&seed=16")) {
            assertThat(left.gids(1)).isNotEqualTo(right.gids(1));
            assertThat(third.name()).isEqualTo("third");
            assertThatThrownBy(() -> Devices.open("virtual://fourth?network=n&loss=0.1"))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessage(
                            "virtual network n: it is open with loss 0.5, and now 0.1 is asked for;"
                                    + " the first device decides for all: leave parameters out of"
                                    + " later ones, or use another network=NAME");
            assertThatThrownBy(() -> Devices.open("virtual://fourth?network=n&pcap=a.pcap"))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("open with pcap the default, and now a.pcap");
        }
        // All of it is forgotten with the last device.
        Devices.open("virtual://fourth?network=n&loss=0.1").close();
    }

    @Test
    void networksAreWorldsOfTheirOwn() {
        try (Device one = Devices.open("virtual://left?network=a");
                Device other = Devices.open("virtual://left?network=b")) {
            assertThat(one.gids(1)).isEqualTo(other.gids(1));
            assertThatThrownBy(() -> Devices.open("virtual://left?network=a"))
                    .isInstanceOf(NoDeviceException.class);
        }
    }

    @Test
    void whatIsNotUnderstoodIsRefusedWithARemedy() {
        refused("virtual:left", "write it as virtual://left");
        refused("virtual://a@b", "write it as virtual://left");
        refused("virtual://left?lost=1", "no parameter lost; use some of network, seed, loss");
        refused("virtual://left?loss=many", "loss cannot be 'many'; write it as loss=0.02");
        refused("virtual://left?loss=1.5", "loss 1.5 is no probability; use 0 to 1");
        refused("virtual://left?delay=5", "delay cannot be '5'; write it with its unit");
        refused("virtual://left?delay=11s", "a delay of PT11S; use 0 to PT10S");
        refused("virtual://left?seed=one", "seed cannot be 'one'; write it as seed=42");
        refused("virtual://left?loss", "'loss' has no value");
        refused("virtual://left?loss=0.1&loss=0.2", "loss stands there twice");
        refused("virtual://left?pcap=" + directory, "cannot be written");
        // Nothing of all that was left open.
        Devices.open("virtual://left?seed=7").close();
    }

    @Test
    void aCaptureMayHaveBlanksInItsName() {
        String uri = "virtual://left?pcap=" + directory + "/a%20b%26c/run.pcapng";
        Devices.open(uri).close();

        assertThat(directory.resolve("a b&c").resolve("run.pcapng")).exists();
    }

    @Test
    void itIsAmongTheAvailableOnes() {
        assertThat(Devices.available()).map(it -> it.getScheme()).contains("virtual");
    }

    private static void refused(String uri, String message) {
        assertThatThrownBy(() -> new VirtualProvider().open(URI.create(uri)))
                .hasMessageContaining(message);
    }

    private byte[] run(String file) throws IOException {
        Path capture = directory.resolve(file);
        try (Device left =
                        Devices.open("virtual://left?network=demo&" + FAULTS + "&pcap=" + capture);
                Device right = Devices.open("virtual://right?network=demo")) {
            new Traffic(left, right).run(30);
        }
        return Files.readAllBytes(capture);
    }
}
