package dev.verbena.subnet;

import dev.verbena.wire.mad.Mad;
import dev.verbena.wire.mad.RmppAssembly;
import dev.verbena.wire.mad.SaHeader;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.IntStream;

/// How a request to subnet administration has ended.
///
/// @param request its number
/// @param status of [End#ANSWERED]: 0, or why it was refused
/// @param records the records of the answer; of a refusal none
public record SaAnswer(long request, End end, int status, List<MemorySegment> records) {
    /// Ways in which a request ends.
    public enum End {
        ANSWERED,
        /// No answer came, however often it was sent.
        SILENT,
        /// The manager has given up an answer of several datagrams.
        ABORTED
    }

    static SaAnswer failed(long request, End end) {
        return new SaAnswer(request, end, 0, List.of());
    }

    /// An answer that is one datagram.
    static SaAnswer of(long request, int status, MemorySegment mad) {
        byte[] record = new byte[SaHeader.DATA_LENGTH];
        MemorySegment.copy(mad, SaHeader.DATA, MemorySegment.ofArray(record), 0, record.length);
        assert mad.byteSize() == Mad.LENGTH_TOTAL;
        return new SaAnswer(
                request,
                End.ANSWERED,
                status,
                status == 0 ? List.of(MemorySegment.ofArray(record)) : List.of());
    }

    static SaAnswer of(long request, RmppAssembly answer) {
        return new SaAnswer(
                request,
                End.ANSWERED,
                0,
                IntStream.range(0, answer.records()).mapToObj(answer::record).toList());
    }

    /// Whether it was answered and not refused.
    public boolean isOk() {
        return end == End.ANSWERED && status == 0;
    }
}
