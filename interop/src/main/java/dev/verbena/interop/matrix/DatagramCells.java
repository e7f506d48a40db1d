package dev.verbena.interop.matrix;

import static dev.verbena.interop.matrix.Cell.Extent.PACKET;
import static dev.verbena.interop.matrix.ConnectedSides.SOURCE;
import static dev.verbena.interop.matrix.ConnectedSides.TARGET;
import static dev.verbena.interop.matrix.ConnectedSides.expectEqual;

import dev.verbena.interop.matrix.Request.Operation;
import dev.verbena.verbs.DatagramHeader;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.RemoteSlice;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;

/// Cells of datagrams (UD): one packet each, from any sender with the queue key (IBA 9.8.3).
final class DatagramCells {
    private static final Setup DATAGRAMS = Setup.ORDINARY.type(QueuePairType.UD);
    private static final Duration LATE = Duration.ofMillis(200);

    // What an Ethernet frame of RoCE v2 counts beside the payload: UDP, BTH, DETH, ICRC.
    private static final int HEADERS = 8 + 12 + 8 + 4;
    private static final int IPV4_AT = 20;
    private static final int UDP = 17;

    private DatagramCells() {}

    static List<Cell> all() {
        return List.of(
                new Cell("UD SEND", PACKET, it -> Cells.one(it, DATAGRAMS, Operation.SEND)),
                new Cell(
                        "UD SEND with immediate",
                        PACKET,
                        it -> Cells.one(it, DATAGRAMS, Operation.SEND_IMMEDIATE)),
                new Cell("UD odd lengths", PACKET, DatagramCells::lengths),
                new Cell("UD header", PACKET, DatagramCells::header),
                new Cell("UD wrong queue key", PACKET, DatagramCells::wrongQueueKey),
                new Cell("UD without a receive", PACKET, DatagramCells::noReceive),
                new Cell(
                        "UD message too long",
                        PACKET,
                        it -> RefusalCells.unreliableTooLong(it, DATAGRAMS)));
    }

    /// From nothing to the most that both ports take, with every number of padding bytes.
    private static void lengths(ConnectedSides it) {
        it.open(DATAGRAMS);
        int most = Math.min(it.requester().endpoint().mtu(), it.responder().endpoint().mtu());
        for (int length : new int[] {0, 1, 2, 3, most - 1, most}) {
            it.transfer(Operation.SEND, length);
            it.transfer(Operation.SEND_IMMEDIATE, length);
        }
        it.expectAtRest();
    }

    /// What lies in front of a datagram: the IP header, the shorter one in the last 20 of the 40
    /// bytes (RoCE v2, A17.4.5.1).
    private static void header(ConnectedSides it) {
        it.open(DATAGRAMS);
        it.responder().fill(TARGET, DatagramHeader.LENGTH, 31);
        it.transfer(Operation.SEND, 101);
        byte[] bytes = it.responder().bytes(TARGET, DatagramHeader.LENGTH);
        ByteBuffer fields = ByteBuffer.wrap(bytes);
        MemorySegment header = MemorySegment.ofArray(bytes);
        Gid from = it.requester().endpoint().gid();
        int padded = 104;
        expectEqual("an IPv4 header", from.isIpv4(), DatagramHeader.isIpv4(header, 0));
        expectEqual("source", from, DatagramHeader.source(header, 0));
        expectEqual(
                "destination",
                it.responder().endpoint().gid(),
                DatagramHeader.destination(header, 0));
        expectEqual("traffic class", 0, DatagramHeader.trafficClass(header, 0));
        if (from.isIpv4()) {
            expectEqual("length", 20 + HEADERS + padded, (int) fields.getShort(IPV4_AT + 2));
            expectEqual("don't fragment", 0x4000, (int) fields.getShort(IPV4_AT + 6));
            expectEqual("protocol", UDP, (int) fields.get(IPV4_AT + 9));
        } else {
            expectEqual("version", 6, fields.get(0) >> 4);
            expectEqual("length", HEADERS + padded, (int) fields.getShort(4));
            expectEqual("next header", UDP, (int) fields.get(6));
        }
        it.expectAtRest();
    }

    /// Only the one behind them is received.
    private static void wrongQueueKey(ConnectedSides it) {
        it.open(DATAGRAMS);
        it.responder().receive(1, TARGET, 1000);
        it.responder().receive(2, TARGET + 4096, 1000);
        RemoteSlice right = it.remote(0, 0);
        RemoteSlice wrong = new RemoteSlice(0, 0, right.key() ^ 1);
        it.requester().fill(SOURCE, 100, 32);
        it.requester().post(Request.of(Operation.SEND, SOURCE, 99, wrong).id(1));
        it.expectSent(1, Operation.SEND);
        it.requester().post(Request.of(Operation.SEND, SOURCE, 100, right).id(2));
        it.expectSent(2, Operation.SEND);
        it.expectReceived(1, Operation.SEND, 100, 0);
        it.expectAtRest();
    }

    private static void noReceive(ConnectedSides it) {
        it.open(DATAGRAMS);
        it.requester().post(Request.of(Operation.SEND, SOURCE, 99, it.remote(0, 0)).id(99));
        it.expectSent(99, Operation.SEND);
        expectEqual("received", true, it.responder().received(LATE).isEmpty());
        it.transfer(Operation.SEND, 100);
        it.expectAtRest();
    }
}
