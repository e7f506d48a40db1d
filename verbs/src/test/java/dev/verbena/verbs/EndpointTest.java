package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EndpointTest {
    private static final int LATER = 33;

    private static final Endpoint SAMPLE =
            new Endpoint(0xC001, Gid.parse("192.0.2.10"), 0x00AB12, 0xFFFFFE, 4096, 16, 4791);
    private static final String GOLDEN =
            "0110c0010000ab1200fffffe100012b7"
                    + "00000000000000000000ffffc000020a"
                    + "0200ffff00000000";
    private static final Endpoint DATAGRAM =
            new Endpoint(
                    QueuePairType.UD, 7, Gid.NONE, 0x00AB12, 0, 1024, 0, 4791, 0x8001, 0x8001_0000);

    @Test
    void theBytesAreFixed() {
        assertThat(SAMPLE.toBytes()).isEqualTo(HexFormat.of().parseHex(GOLDEN));
        assertThat(SAMPLE.toText()).isEqualTo(GOLDEN);
        assertThat(Endpoint.parse("  " + GOLDEN + "\n")).isEqualTo(SAMPLE);
        assertThat(DATAGRAM.toText())
                .isEqualTo(
                        "010000070000ab1200000000040012b7" + "0".repeat(32) + "0400800180010000");
        assertThat(Endpoint.of(DATAGRAM.toBytes())).isEqualTo(DATAGRAM);
    }

    @Test
    void theLargestValuesSurviveTheWay() {
        Endpoint largest =
                new Endpoint(
                        QueuePairType.UD,
                        0xFFFF,
                        new Gid(-1, -1),
                        0xFF_FFFF,
                        0xFF_FFFF,
                        4096,
                        255,
                        0xFFFF,
                        0xFFFF,
                        -1);
        assertThat(Endpoint.of(largest.toBytes())).isEqualTo(largest);
        Endpoint smallest = new Endpoint(0, Gid.NONE, 0, 0, 256, 0, 1);
        assertThat(Endpoint.of(smallest.toBytes())).isEqualTo(smallest);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 32, 39, 41, 1 << 16})
    void anotherLengthIsRefused(int length) {
        assertThatThrownBy(() -> Endpoint.of(new byte[length]))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessage(
                        "endpoint: %d bytes are not an endpoint;"
                                + " send the 40 bytes of Endpoint.toBytes()",
                        length);
    }

    @Test
    void anotherVersionIsRefused() {
        byte[] bytes = SAMPLE.toBytes();
        bytes[0] = (byte) 200;
        assertThatThrownBy(() -> Endpoint.of(bytes))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("version 200 is not known");
    }

    /// The byte, what is written there, and the name that the refusal gives.
    @ParameterizedTest
    @CsvSource({
        "4, 1, queue pair",
        "8, 255, psn",
        "12, 255, mtu",
        "13, 1, mtu",
        "32, 1, type 1",
        "32, 5, type 5",
        "39, 1, queue key 0x1 on a queue pair of type RC"
    })
    void bytesOutOfRangeAreRefusedByName(int at, int value, String name) {
        byte[] bytes = SAMPLE.toBytes();
        bytes[at] = (byte) value;
        assertThatThrownBy(() -> Endpoint.of(bytes))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageStartingWith("endpoint: " + name);
    }

    @Test
    void whatANewerPeerMaySayIsIgnored() {
        byte[] bytes = SAMPLE.toBytes();
        bytes[LATER] = (byte) 0xFE;
        assertThat(Endpoint.of(bytes)).isEqualTo(SAMPLE);
        bytes[LATER] = (byte) 0xFF;
        assertThat(Endpoint.of(bytes).offers()).isEqualTo(Endpoint.SELECTIVE_REPEAT);
    }

    @Test
    void aUdpPortOfZeroIsRefused() {
        byte[] bytes = SAMPLE.toBytes();
        bytes[14] = 0;
        bytes[15] = 0;
        assertThatThrownBy(() -> Endpoint.of(bytes)).hasMessageContaining("udp port 0");
    }

    @Test
    void anyBytesAreReadBackTheSameOrRefused() {
        SplittableRandom random = new SplittableRandom(7);
        int read = 0;
        for (int i = 0; i < 100_000; i++) {
            byte[] bytes = SAMPLE.toBytes();
            for (int change = random.nextInt(1, 4); change > 0; change--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            try {
                byte[] again = Endpoint.of(bytes).toBytes();
                bytes[LATER] &= Endpoint.SELECTIVE_REPEAT;
                assertThat(Arrays.equals(again, bytes)).isTrue();
                read++;
            } catch (InvalidRequestException refused) {
                assertThat(refused.object()).isEqualTo("endpoint");
            }
        }
        assertThat(read).isBetween(10_000, 90_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "xyz", "0x01", "01 10"})
    void textThatIsNoEndpointIsRefused(String text) {
        assertThatThrownBy(() -> Endpoint.parse(text)).isInstanceOf(InvalidRequestException.class);
    }

    @Test
    void aLogShowsWhatAnEngineerLooksFor() {
        assertThat(SAMPLE)
                .hasToString(
                        "RC qp 0xab12 psn 0xfffffe lid 49153 gid 192.0.2.10 mtu 4096 pkey 0xffff");
    }

    @Test
    void theAddressOfAnEndpointIsThePlainest() {
        Address address = Address.to(SAMPLE);
        assertThat(address)
                .isEqualTo(new Address(0xC001, Gid.parse("192.0.2.10"), 0, 0, 0, 64, 0, 4791));
        assertThat(address.withServiceLevel(3).withTrafficClass(104).withFlowLabel(0xF_FFFF))
                .isEqualTo(
                        new Address(
                                0xC001, Gid.parse("192.0.2.10"), 3, 104, 0xF_FFFF, 64, 0, 4791));
        assertThat(address.withGid(Gid.NONE))
                .isEqualTo(new Address(0xC001, Gid.NONE, 0, 0, 0, 64, 0, 4791));
        assertThatThrownBy(() -> address.withServiceLevel(16)).hasMessageContaining("0 to 15");
        assertThatThrownBy(() -> address.withTrafficClass(256)).hasMessageContaining("0 to 255");
        assertThatThrownBy(() -> address.withFlowLabel(-1)).hasMessageContaining("0 to 1048575");
    }
}
