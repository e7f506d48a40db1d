package dev.verbena.subnet.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.wire.mad.Mad;
import dev.verbena.wire.mad.MadMethod;
import dev.verbena.wire.mad.ManagementClass;
import dev.verbena.wire.mad.Rmpp;
import dev.verbena.wire.mad.SaHeader;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// An answer of several datagrams, and acknowledgements that come late or are wrong.
class TransfersTest {
    private static final Peer PEER = new Peer(7, 1);
    private static final long TRANSACTION = 99;
    private static final int SEGMENTS = 5;
    private static final int SEGMENT_BYTES = 200;

    private final Transfers transfers = new Transfers();
    private final MemorySegment head = mad();
    private final List<String> sent = new ArrayList<>();
    private long nowNs;

    TransfersTest() {
        MemorySegment records = MemorySegment.ofArray(new byte[SEGMENTS * SEGMENT_BYTES]);
        transfers.begin(nowNs, PEER, head, records);
    }

    private static MemorySegment mad() {
        MemorySegment mad = MemorySegment.ofArray(new byte[Mad.LENGTH_TOTAL]);
        new Mad(
                        ManagementClass.SUBNET_ADMINISTRATION,
                        SaHeader.CLASS_VERSION,
                        MadMethod.GET_TABLE_RESPONSE,
                        0,
                        0,
                        TRANSACTION,
                        0x11,
                        0)
                .emit(mad, 0);
        return mad;
    }

    private List<String> send() {
        sent.clear();
        while (transfers.transmit(nowNs, (_, mad) -> sent.add(text(mad)))) {
            // All that may go.
        }
        return sent;
    }

    private static String text(MemorySegment mad) {
        boolean isAbort = SaHeader.RMPP_TYPE.readInt(mad, 0) == Rmpp.ABORT;
        return isAbort ? "abort" : "" + SaHeader.SEGMENT_NUMBER.readInt(mad, 0);
    }

    private void acknowledge(int segment, int windowLast) {
        MemorySegment mad = mad();
        Rmpp.acknowledge(head, 0, segment, windowLast, mad, 0);
        assertThat(transfers.handle(nowNs, PEER, mad)).isTrue();
    }

    private void timeout() {
        nowNs = transfers.timeoutNs();
        transfers.handleTimeout(nowNs);
    }

    @Test
    void segmentsGoAsFarAsTheWindowLetsThem() {
        assertThat(send()).containsExactly("1");
        acknowledge(1, 3);
        assertThat(send()).containsExactly("2", "3");
        acknowledge(3, SEGMENTS);
        assertThat(send()).containsExactly("4", "5");
        acknowledge(SEGMENTS, SEGMENTS);
        assertThat(transfers.timeoutNs()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void theRoomOfAnswersThatEndedIsFree() {
        long most = Transfers.BYTES_MAX;
        assertThat(transfers.hasRoom(most)).isFalse();
        assertThat(transfers.hasRoom(most - SEGMENTS * SEGMENT_BYTES)).isTrue();
        send();
        acknowledge(1, SEGMENTS);
        send();
        acknowledge(SEGMENTS, SEGMENTS);
        assertThat(transfers.hasRoom(most)).isTrue();
        assertThat(transfers.hasRoom(most + 1)).isFalse();
    }

    @Test
    void anAcknowledgementThatComesAfterTheTimeoutCounts() {
        send();
        acknowledge(1, SEGMENTS);
        send();
        timeout();
        acknowledge(3, SEGMENTS);
        assertThat(send()).containsExactly("4", "5");
        acknowledge(SEGMENTS, SEGMENTS);
        assertThat(transfers.timeoutNs()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void anAcknowledgementOfWhatWasNeverSentEndsIt() {
        send();
        acknowledge(2, SEGMENTS);
        assertThat(send()).containsExactly("abort");
        assertThat(transfers.timeoutNs()).isEqualTo(Long.MAX_VALUE);
    }
}
