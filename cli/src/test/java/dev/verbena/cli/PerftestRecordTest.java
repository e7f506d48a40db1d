package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.verbena.verbs.Endpoint;
import dev.verbena.verbs.Gid;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PerftestRecordTest {
    private static final String TEXT =
            "0000:0008:000011:627cd5:80000210:00007fa5667c7000:"
                    + "00:00:00:00:00:00:00:00:00:00:ff:ff:0a:63:00:0b:00000000:\0";
    private static final PerftestRecord RECORD =
            new PerftestRecord(
                    8, 0x11, 0x627cd5, 0x80000210, 0x7fa5667c7000L, Gid.parse("10.99.0.11"));

    private static PerftestRecord parse(String text) {
        return PerftestRecord.parse(text.getBytes(StandardCharsets.US_ASCII), "ib_write_bw");
    }

    private static Endpoint ours(String gid) {
        return new Endpoint(0, Gid.parse(gid), 5, 6, 4096, 8, 4791);
    }

    @Test
    void isTextOf107CharactersAndAZeroByte() {
        assertThat(new String(RECORD.toBytes(), StandardCharsets.US_ASCII)).isEqualTo(TEXT);
        assertThat(RECORD.toBytes()).hasSize(PerftestRecord.LENGTH);
        assertThat(parse(TEXT)).isEqualTo(RECORD);
    }

    @Test
    void keepsNumbersWhoseHighestBitIsSet() {
        PerftestRecord large =
                new PerftestRecord(0xFFFF, 0xFFFFFF, 0xFFFFFF, -1, -1, new Gid(-1, -2));

        assertThat(large.toBytes()).hasSize(PerftestRecord.LENGTH);
        assertThat(parse(new String(large.toBytes(), StandardCharsets.US_ASCII))).isEqualTo(large);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "0000:0008",
                "verbena-perf 1 verb=WRITE",
                "0000:0008:000011:627cd5:80000210:00007fa5667c7000:"
                        + "00:00:00:00:00:00:00:00:00:00:ff:ff:0a:63:00:0b:00000000 \0",
                "0000:0008:00001g:627cd5:80000210:00007fa5667c7000:"
                        + "00:00:00:00:00:00:00:00:00:00:ff:ff:0a:63:00:0b:00000000:\0"
            })
    void otherBytesAreRefused(String text) {
        assertThatExceptionOfType(PerfException.class)
                .isThrownBy(() -> parse(text))
                .withMessageContaining(
                        "not an address of ib_write_bw; start that on the other side");
    }

    @Test
    void becomesAPeerLikeOurs() {
        PerfPeer peer = RECORD.toPeer(ours("10.99.0.1"), 1024, 65536);

        Endpoint endpoint = peer.endpoints().getFirst();
        assertThat(endpoint.queuePair()).isEqualTo(0x11);
        assertThat(endpoint.psn()).isEqualTo(0x627cd5);
        assertThat(endpoint.mtu()).isEqualTo(1024);
        assertThat(endpoint.reads()).isEqualTo(8);
        assertThat(endpoint.gid()).isEqualTo(Gid.parse("10.99.0.11"));
        assertThat(peer.memory().address()).isEqualTo(0x7fa5667c7000L);
        assertThat(peer.memory().key()).isEqualTo(0x80000210);
    }

    @Test
    void bothGidsAreIpv4OrNeither() {
        assertThatExceptionOfType(PerfException.class)
                .isThrownBy(() -> RECORD.toPeer(ours("fd99::1"), 1024, 65536))
                .withMessageContaining("choose with -x there, or with -d here");
    }

    @Test
    void moreReadsThanThereCanBeAreRefused() {
        PerftestRecord greedy = new PerftestRecord(256, 1, 2, 3, 4, RECORD.gid());

        assertThatExceptionOfType(PerfException.class)
                .isThrownBy(() -> greedy.toPeer(ours("10.99.0.1"), 1024, 65536))
                .withMessageContaining("256 READs at a time, more than 255");
    }
}
