package dev.verbena.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/// What a view says of a packet, and of one whose payload lies apart from its headers.
class PacketViewTest {
    private static final int AT = 3;
    private static final int RC_SEND_ONLY = 0x04;
    private static final int RC_WRITE_ONLY = 0x0A;

    private final MemorySegment headers = MemorySegment.ofArray(new byte[64]);
    private final MemorySegment payload = MemorySegment.ofArray(new byte[32]);
    private final PacketView view = new PacketView();

    private void send(int flags, int padCount) {
        Bth.put(headers, AT, RC_SEND_ONLY, flags, padCount, 0x1234, 0xABCDEF, 0x987654);
    }

    @Test
    void theFieldsOfTheBthAreThere() {
        send(Bth.SOLICITED, 3);
        assertThat(view.wrapApart(headers, AT, Bth.LENGTH, payload, 7, 5)).isEqualTo(Verdict.OK);
        assertThat(view.pkey()).isEqualTo(0x1234);
        assertThat(view.destQp()).isEqualTo(0xABCDEF);
        assertThat(view.psn()).isEqualTo(0x987654);
        assertThat(view.isSolicited()).isTrue();
        assertThat(view.isAckRequest()).isFalse();

        send(Bth.ACK_REQUEST, 3);
        assertThat(view.wrapApart(headers, AT, Bth.LENGTH, payload, 7, 5)).isEqualTo(Verdict.OK);
        assertThat(view.isSolicited()).isFalse();
        assertThat(view.isAckRequest()).isTrue();
    }

    @Test
    void aPayloadApartIsFoundInItsOwnSegment() {
        send(0, 3);

        assertThat(view.wrapApart(headers, AT, Bth.LENGTH, payload, 7, 5)).isEqualTo(Verdict.OK);

        assertThat(view.payloadSegment()).isSameAs(payload);
        assertThat(view.payloadAt()).isEqualTo(7);
        assertThat(view.payloadLength()).isEqualTo(5);
        assertThat(view.isPhantom()).isFalse();
        assertThat(view.hasEthernet()).isFalse();
        assertThat(view.has(ExtendedHeader.RETH)).isFalse();
    }

    @Test
    void aPhantomHasALengthAndNoBytes() {
        send(0, 3);

        assertThat(view.wrapPhantom(headers, AT, Bth.LENGTH, 4001)).isEqualTo(Verdict.OK);

        assertThat(view.isPhantom()).isTrue();
        assertThat(view.payloadLength()).isEqualTo(4001);
        assertThat(view.payloadSegment().byteSize()).isZero();
        assertThat(view.payloadAt()).isZero();
    }

    @Test
    void headersApartMustBeExactlyThoseOfTheOpcode() {
        Bth.put(headers, AT, RC_WRITE_ONLY, 0, 0, 0xFFFF, 1, 2);
        int whole = Bth.LENGTH + Reth.LENGTH;

        assertThat(view.wrapApart(headers, AT, Bth.LENGTH - 1, payload, 0, 8))
                .isEqualTo(Verdict.BTH_TRUNCATED);
        assertThat(view.has(ExtendedHeader.RETH)).isFalse();
        assertThat(view.wrapApart(headers, AT, whole - 4, payload, 0, 8))
                .isEqualTo(Verdict.HEADERS_TRUNCATED);
        assertThat(view.has(ExtendedHeader.RETH)).isFalse();
        assertThatThrownBy(view::payloadAt).isInstanceOf(WireException.class);
        assertThat(view.wrapPhantom(headers, AT, whole + 4, 8))
                .isEqualTo(Verdict.HEADERS_TRUNCATED);
        assertThat(view.isPhantom()).isFalse();
        assertThat(view.wrapPhantom(headers, AT, whole, 8)).isEqualTo(Verdict.OK);
        assertThat(view.has(ExtendedHeader.RETH)).isTrue();
        assertThat(view.at(ExtendedHeader.RETH)).isEqualTo(AT + Bth.LENGTH);
    }

    @Test
    void thePadOfAPayloadApartMustFillAWord() {
        send(0, 1);

        assertThat(view.wrapApart(headers, AT, Bth.LENGTH, payload, 0, 7)).isEqualTo(Verdict.OK);
        assertThat(view.wrapApart(headers, AT, Bth.LENGTH, payload, 0, 8))
                .isEqualTo(Verdict.TRANSPORT_UNALIGNED);
        assertThat(view.wrapPhantom(headers, AT, Bth.LENGTH, 6))
                .isEqualTo(Verdict.TRANSPORT_UNALIGNED);
    }

    @Test
    void aPayloadApartMustLieInItsSegment() {
        send(0, 0);

        assertThatThrownBy(() -> view.wrapApart(headers, AT, Bth.LENGTH, payload, 28, 8))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void aReleasedViewKeepsNothing() {
        send(0, 3);
        view.wrapApart(headers, AT, Bth.LENGTH, payload, 7, 5);

        view.release();

        assertThat(view.segment()).isSameAs(MemorySegment.NULL);
        assertThat(view.payloadSegment()).isSameAs(MemorySegment.NULL);
        assertThat(view.hasBth()).isFalse();
        assertThat(view.kind()).isEqualTo(PacketKind.NONE);
    }

    @Test
    void theEthernetHeaderIsWhereTheFrameBegins() {
        BigEndian.put16(headers, AT + 12, Ethernet.TYPE_MAC_CONTROL);
        BigEndian.put16(headers, AT + 14, Pause.OPCODE);

        assertThat(view.wrapEthernet(headers, AT, 60)).isEqualTo(Verdict.OK);

        assertThat(view.hasEthernet()).isTrue();
        assertThat(view.ethernetAt()).isEqualTo(AT);
        assertThat(view.controlAt()).isEqualTo(AT + 14);
        assertThat(view.controlLength()).isEqualTo(46);
    }
}
