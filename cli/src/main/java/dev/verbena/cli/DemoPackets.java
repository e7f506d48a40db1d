package dev.verbena.cli;

import dev.verbena.wire.Aeth;
import dev.verbena.wire.AethSyndrome;
import dev.verbena.wire.ExtendedHeader;
import dev.verbena.wire.PacketView;
import dev.verbena.wire.Psn;
import dev.verbena.wire.capture.CaptureReader;
import dev.verbena.wire.capture.CaptureStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// The packets of one WRITE in a capture, as `verbena decode` reads them: requests of one host, and
/// the answers to it.
final class DemoPackets {
    /// A packet.
    ///
    /// @param number in the capture, from 1
    /// @param isRequest whether it is of the host that writes
    /// @param isAgain whether its PSN was sent before
    /// @param isLost whether the wire lost it
    /// @param answer words of an acknowledgement; empty on a request
    record Row(
            long number,
            long timeNs,
            boolean isRequest,
            String packet,
            int psn,
            int bytes,
            boolean isAgain,
            boolean isLost,
            String answer) {
        /// Whether it says that a packet is missing.
        boolean isNak() {
            return answer.startsWith("NAK");
        }
    }

    private final List<Row> rows = new ArrayList<>();
    private final FlowTable table = new FlowTable();
    private int newest = -1;

    /// @param host address of the host that writes
    /// @param lost numbers of frames that the wire lost
    DemoPackets(Path file, String host, Set<Long> lost) throws IOException {
        CapturedFrame frame = new CapturedFrame();
        long number = 0;
        try (CaptureReader reader = CaptureReader.open(Files.newByteChannel(file))) {
            while (reader.next() == CaptureStatus.PACKET) {
                number++;
                frame.read(reader, number);
                if (frame.isWhole() && isOfWrite(frame, host)) {
                    table.add(frame);
                    rows.add(row(frame, host, lost));
                }
            }
        }
    }

    private static boolean isOfWrite(CapturedFrame frame, String host) {
        return isAnswer(frame) ? frame.destination().equals(host) : frame.source().equals(host);
    }

    private static boolean isAnswer(CapturedFrame frame) {
        return frame.view().opcode().headers().contains(ExtendedHeader.AETH);
    }

    private Row row(CapturedFrame frame, String host, Set<Long> lost) {
        PacketView view = frame.view();
        boolean isRequest = frame.source().equals(host);
        boolean isAgain = isRequest && newest >= 0 && Psn.distance(view.psn(), newest) <= 0;
        if (isRequest && !isAgain) {
            newest = view.psn();
        }
        String answer = "";
        if (isAnswer(frame)) {
            answer =
                    AethSyndrome.words(Aeth.syndrome(view.segment(), view.at(ExtendedHeader.AETH)));
        }
        return new Row(
                frame.number(),
                frame.timeNs(),
                isRequest,
                view.opcode().toString(),
                view.psn(),
                view.payloadLength(),
                isAgain,
                lost.contains(frame.number()),
                answer);
    }

    List<Row> rows() {
        return rows;
    }

    long again() {
        return rows.stream().filter(Row::isAgain).count();
    }

    long naks() {
        return rows.stream().filter(Row::isNak).count();
    }

    /// Checksums that are right, and those that are not.
    long checksumsRight() {
        return table.icrcRight();
    }

    long checksumsWrong() {
        return table.icrcWrong();
    }
}
