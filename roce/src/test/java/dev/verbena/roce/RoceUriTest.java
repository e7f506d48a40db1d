package dev.verbena.roce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.transport.carrier.CongestionSettings;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.NoDeviceException;
import dev.verbena.verbs.VerbsException;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RoceUriTest {
    @Test
    void nothingButAnAddressIsNeeded() {
        RoceSettings settings = parse("roce://127.0.0.1");

        assertThat(settings.address()).isEqualTo(Gid.parse("127.0.0.1"));
        assertThat(settings.port()).isEqualTo(4791);
        assertThat(settings.thread()).isTrue();
        assertThat(settings.path()).isEqualTo(SocketPath.AUTOMATIC);
        assertThat(settings.segmentation()).isTrue();
        assertThat(settings.ackRequests()).isEqualTo(1);
        assertThat(settings.name()).isEqualTo("roce 127.0.0.1:4791");
    }

    @Test
    void everyOptionIsRead() {
        RoceSettings settings =
                parse(
                        "roce://[fd99::1]:5000?progress=caller&path=portable&gso=off&rcvbuf=65536"
                                + "&mtu=1024&ack=16,50&seed=7");

        assertThat(settings.address()).isEqualTo(Gid.parse("fd99::1"));
        assertThat(settings.port()).isEqualTo(5000);
        assertThat(settings.thread()).isFalse();
        assertThat(settings.path()).isEqualTo(SocketPath.PORTABLE);
        assertThat(settings.segmentation()).isFalse();
        assertThat(settings.receiveBuffer()).isEqualTo(65_536);
        assertThat(settings.mtu()).isEqualTo(1024);
        assertThat(settings.ackRequests()).isEqualTo(16);
        assertThat(settings.ackDelayNs()).isEqualTo(50_000);
        assertThat(settings.seed()).hasValue(7);
        assertThat(settings.name()).isEqualTo("roce [fd99::1]:5000");
    }

    @Test
    void lossHasASeed() {
        assertThat(parse("roce://127.0.0.1").loss()).isEqualTo(Loss.NONE);
        assertThat(parse("roce://127.0.0.1?loss=0.02").loss()).isEqualTo(new Loss(0.02, 1));
        assertThat(parse("roce://127.0.0.1?loss=1,-7").loss()).isEqualTo(new Loss(1, -7));
    }

    @Test
    void congestionControlIsAPresetForALineWithChanges() {
        assertThat(parse("roce://127.0.0.1").congestion()).isNull();
        assertThat(parse("roce://127.0.0.1?cc=off").congestion()).isNull();
        assertThat(parse("roce://127.0.0.1?cc=off").control()).isNull();
        assertThat(parse("roce://127.0.0.1?cc=production&rp_max_rate=25000").congestion())
                .isEqualTo(CongestionSettings.production(25_000_000_000L));
        assertThat(
                        parse("roce://127.0.0.1?cc=published&rp_max_rate=1000&rp_ai_rate=2")
                                .congestion())
                .isEqualTo(CongestionSettings.published(1_000_000_000).with("rp_ai_rate", 2));
    }

    @Test
    void otherControllersAreFoundByNameWithTheirParameters() {
        RoceSettings settings = parse("roce://127.0.0.1?cc=swift&rp_max_rate=1000&rtt=30&beta=0.5");
        assertThat(settings.congestion()).isNull();
        assertThat(settings.control()).isNotNull();
        assertThat(settings.control().line().roundTripNs()).isEqualTo(30_000);
        assertThat(settings.control().line().bitsPerSecond()).isEqualTo(1_000_000_000);
        assertThat(settings.control().parameters()).containsEntry("beta", 0.5);
        assertThat(settings.needsMarks()).isFalse();
        assertThat(parse("roce://127.0.0.1?cc=nscc&rp_max_rate=1000").needsMarks()).isTrue();
    }

    @Test
    void socketsThatSeeNoMarksRefuseToControlCongestion() {
        URI uri = URI.create("roce://127.0.0.1?path=portable&cc=published&rp_max_rate=1000");
        assertThatThrownBy(() -> new RoceProvider().open(uri))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("show no congestion marks");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "roce:///                          | names no address",
                "roce://1.2.3                      | names no address",
                "roce://0.0.0.0                    | not the address of one port",
                "roce://[::]                       | not the address of one port",
                "roce://224.0.0.1                  | not the address of one port",
                "roce://127.0.0.1:0                | port 0",
                "roce://127.0.0.1?mtu=1000         | use 256, 512, 1024, 2048 or 4096",
                "roce://127.0.0.1?mtu=8192         | use 0 to 4096",
                "roce://127.0.0.1?progress=magic   | use thread or caller",
                "roce://127.0.0.1?gso              | has no value",
                "roce://127.0.0.1?gso=on&gso=off   | stands there twice",
                "roce://127.0.0.1?ack=16           | write it as ack=16,50",
                "roce://127.0.0.1?ack=16,90000     | use 0 to 10000",
                "roce://127.0.0.1?speed=fast       | use some of progress",
                "roce://127.0.0.1?loss=1.1         | use 0 to 1",
                "roce://127.0.0.1?loss=NaN         | use 0 to 1",
                "roce://127.0.0.1?loss=much        | use 0 to 1",
                "roce://127.0.0.1?loss=0.1,x       | loss cannot be 'x'",
                "roce://127.0.0.1?cc=published     | rp_max_rate=10000 is 10 Gb/s",
                "roce://127.0.0.1?cc=x&rp_max_rate=9 | use off, published, adapter or production",
                "roce://127.0.0.1?cc=y&rp_max_rate=9 | no congestion control 'y'; use one of [nscc",
                "roce://127.0.0.1?cc=swift           | rp_max_rate=10000 is 10 Gb/s",
                "roce://127.0.0.1?cc=swift&rp_max_rate=9&beta=x | cc=swift",
                "roce://127.0.0.1?cc=swift&rp_max_rate=9&gamma=1 | no option gamma",
                "roce://127.0.0.1?rp_ai_rate=9     | no option rp_ai_rate",
                "roce://127.0.0.1?cc=production&rp_max_rate=9&rp_ai_rate=0 | more than 0",
                "roce://127.0.0.1?cc=production&rp_max_rate=9&rp_ai_rate=-1 | use 0 to",
            })
    void whatMakesNoSenseIsRefusedWithAWayOut(String uri, String words) {
        assertThatThrownBy(() -> parse(uri))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining(words);
    }

    @Test
    void theNameOfThisHostIsItsAddress() {
        assertThat(parse("roce://localhost?mtu=1024").address().toInetAddress().isLoopbackAddress())
                .isTrue();
    }

    /// Too long for a name, so that no server is asked.
    @Test
    void aNameWithoutAnAddressIsRefusedWithAWayOut() {
        assertThatThrownBy(() -> parse("roce://" + "a".repeat(70)))
                .isInstanceOf(NoDeviceException.class)
                .hasMessageContaining("no address is known for the name")
                .hasMessageContaining("write the address");
    }

    @Test
    void refusalNamesTheDevice() {
        assertThatThrownBy(() -> parse("roce://127.0.0.1?mtu=7"))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("device roce://127.0.0.1?mtu=7");
    }

    private static RoceSettings parse(String uri) {
        return RoceUri.parse(URI.create(uri));
    }
}
