package dev.verbena.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class OpcodeTest {
    /// Low five bits, then the headers of a reliable connection, written from the specification's
    /// table; services are checked against it with their own headers in front.
    private static final String RC_TABLE =
            """
            00
            01
            02
            03 ImmDt
            04
            05 ImmDt
            06 RETH
            07
            08
            09 ImmDt
            0a RETH
            0b RETH ImmDt
            0c RETH
            0d AETH
            0e
            0f AETH
            10 AETH
            11 AETH
            12 AETH AtomicAckETH
            13 AtomicETH
            14 AtomicETH
            16 IETH
            17 IETH
            1c FETH RETH
            1d RETH
            """;

    @Test
    void everyOpcodeIsFollowedByTheHeadersOfTheSpecification() {
        List<String> expected = new ArrayList<>();
        for (String line : RC_TABLE.lines().toList()) {
            int low = Integer.parseInt(line.substring(0, 2), 16);
            String rest = line.substring(2);
            boolean response = low >= 0x0d && low <= 0x12;
            expected.add(row(low, rest));
            if (low <= 0x0b) {
                expected.add(row(0x20 | low, rest));
            }
            if (low != 0x16 && low != 0x17) {
                expected.add(row(0x40 | low, (response ? " RDETH" : " RDETH DETH") + rest));
            }
            if (low == 4 || low == 5) {
                expected.add(row(0x60 | low, " DETH" + rest));
            }
            expected.add(row(0xA0 | low, (response ? "" : " XRCETH") + rest));
        }
        expected.add(row(0x55, " RDETH DETH"));
        expected.add(row(0x80, ""));
        expected.add(row(0x81, ""));
        // Verbena's own, where every packet of a WRITE says where it belongs.
        for (int code = 0xC6; code <= 0xCB; code++) {
            boolean immediate = code == 0xC9 || code == 0xCB;
            expected.add(row(code, immediate ? " RETH ImmDt" : " RETH"));
        }
        expected.add(row(0xDC, " AETH SACKETH"));

        List<String> actual = new ArrayList<>();
        for (int code = 0; code < 256; code++) {
            Opcode opcode = Opcode.of(code);
            if (opcode.isKnown()) {
                actual.add(
                        row(
                                code,
                                opcode.headers().stream()
                                        .map(header -> " " + header.title())
                                        .collect(Collectors.joining())));
            }
        }
        assertThat(actual).containsExactlyInAnyOrderElementsOf(expected);
    }

    private static String row(int code, String headers) {
        return String.format(Locale.ROOT, "%02x%s", code, headers);
    }

    @Test
    void operationsKnowTheirKindByTheirTitle() {
        for (Operation operation : Operation.values()) {
            String title = operation.title();
            assertThat(operation.isSend()).as(title).isEqualTo(title.startsWith("SEND"));
            assertThat(operation.isWrite()).as(title).isEqualTo(title.startsWith("WRITE"));
        }
    }

    @Test
    void offsetsFollowTheWireOrder() {
        Opcode opcode = Opcode.of(0xAB);

        assertThat(opcode).hasToString("XRC WRITE Only+Imm");
        assertThat(opcode.offsetOf(ExtendedHeader.XRCETH)).isZero();
        assertThat(opcode.offsetOf(ExtendedHeader.RETH)).isEqualTo(4);
        assertThat(opcode.offsetOf(ExtendedHeader.IMM_DT)).isEqualTo(20);
        assertThat(opcode.headersLength()).isEqualTo(24);
    }

    @Test
    void anUnknownCodeIsAValueThatKeepsItsCode() {
        Opcode opcode = Opcode.of(0xC3);

        assertThat(opcode.isKnown()).isFalse();
        assertThat(opcode.code()).isEqualTo(0xC3);
        assertThat(opcode).hasToString("MFR6 opcode 0xc3");
    }

    @Test
    void aHeaderThatIsNotThereIsRefusedByName() {
        assertThatThrownBy(() -> Opcode.of(4).offsetOf(ExtendedHeader.RETH))
                .isInstanceOf(WireException.class)
                .hasMessage("RC SEND Only carries no RETH; ask has() first");
        assertThatThrownBy(() -> Opcode.of(Service.UD, Operation.WRITE_ONLY))
                .hasMessage("UD has no operation WRITE Only");
    }

    @Test
    void onlyLastAndOnlyPacketsEndAMessage() {
        assertThat(Operation.SEND_FIRST.endsMessage()).isFalse();
        assertThat(Operation.SEND_LAST.startsMessage()).isFalse();
        assertThat(Operation.WRITE_ONLY.startsMessage()).isTrue();
        assertThat(Operation.WRITE_ONLY.endsMessage()).isTrue();
        assertThat(Operation.ACKNOWLEDGE.isResponse()).isTrue();
        assertThat(Operation.SELECTIVE_ACKNOWLEDGE.isResponse()).isTrue();
        assertThat(Operation.COMPARE_SWAP.isResponse()).isFalse();
    }
}
