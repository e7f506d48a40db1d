package dev.verbena.interop.matrix;

import static dev.verbena.interop.matrix.Cell.Extent.FAULTS;
import static dev.verbena.interop.matrix.Cell.Extent.PACKET;
import static dev.verbena.interop.matrix.ConnectedSides.SOURCE;
import static dev.verbena.interop.matrix.ConnectedSides.TARGET;
import static dev.verbena.interop.matrix.ConnectedSides.expectEqual;

import dev.verbena.interop.matrix.Request.Operation;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.RemoteSlice;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;

/// All cells, in the order of the table: first those of a reliable connection, of these first what
/// works, then what must be refused.
final class Cells {
    private static final int MIB = 1 << 20;
    private static final int WRAPPING_PSN = 0xFF_FFF0;

    private Cells() {}

    static List<Cell> all() {
        return Stream.of(reliable(), SharedCells.all(), ConnectionCells.all(), DatagramCells.all())
                .flatMap(List::stream)
                .toList();
    }

    private static List<Cell> reliable() {
        return List.of(
                new Cell("SEND", PACKET, it -> one(it, Operation.SEND)),
                new Cell("SEND with immediate", PACKET, it -> one(it, Operation.SEND_IMMEDIATE)),
                new Cell("SEND with invalidate", PACKET, Cells::sendInvalidate),
                new Cell("WRITE", PACKET, it -> one(it, Operation.WRITE)),
                new Cell("WRITE with immediate", PACKET, it -> one(it, Operation.WRITE_IMMEDIATE)),
                new Cell("READ", PACKET, it -> one(it, Operation.READ)),
                new Cell("compare and swap", PACKET, Cells::compareAndSwap),
                new Cell("fetch and add", PACKET, Cells::fetchAndAdd),
                new Cell("zero length", PACKET, Cells::zeroLength),
                new Cell("odd lengths", FAULTS, Cells::oddLengths),
                new Cell("SEND of 1 MiB + 3", FAULTS, it -> large(it, Operation.SEND_IMMEDIATE)),
                new Cell("WRITE of 1 MiB + 3", FAULTS, it -> large(it, Operation.WRITE_IMMEDIATE)),
                new Cell("READ of 1 MiB + 3", FAULTS, it -> large(it, Operation.READ)),
                new Cell("burst of 48 requests", FAULTS, Burst::run),
                new Cell("PSN wrap", FAULTS, Cells::psnWrap),
                new Cell("RNR, then a receive", FAULTS, RefusalCells::receiveComesLate),
                new Cell("RNR until it fails", PACKET, RefusalCells::receiveNeverComes),
                new Cell("bad key", PACKET, RefusalCells::badKey),
                new Cell("bad length", PACKET, RefusalCells::beyondTheRegion),
                new Cell("right not given", PACKET, RefusalCells::rightNotGiven),
                new Cell("message too long", PACKET, RefusalCells::messageTooLong),
                new Cell("misaligned atomic", PACKET, RefusalCells::misalignedAtomic));
    }

    private static void one(ConnectedSides it, Operation operation) {
        one(it, Setup.ORDINARY, operation);
    }

    /// A short message and one that fills a packet.
    static void one(ConnectedSides it, Setup setup, Operation operation) {
        it.open(setup);
        it.transfer(operation, 100);
        it.transfer(operation, it.mtu());
        it.expectAtRest();
    }

    private static void large(ConnectedSides it, Operation operation) {
        large(it, Setup.ORDINARY, operation);
    }

    static void large(ConnectedSides it, Setup setup, Operation operation) {
        it.open(setup);
        it.transfer(operation, MIB + 3);
        it.expectAtRest();
    }

    /// The peer opens a window, we use it, and take its key out of force with the last message.
    private static void sendInvalidate(ConnectedSides it) {
        it.open(Setup.ORDINARY);
        int key = it.responder().bind(TARGET, 4096, Set.of(Access.REMOTE_WRITE));
        RemoteSlice window = new RemoteSlice(it.remote(TARGET, 4096).address(), 4096, key);
        it.requester().fill(SOURCE, 4096, key);
        it.requester().post(Request.of(Operation.WRITE, SOURCE, 4096, window).id(1));
        it.expectSent(1, Operation.WRITE);
        expectEqual(
                "bytes through the window",
                it.requester().checksum(SOURCE, 4096),
                it.responder().checksum(TARGET, 4096));

        it.responder().receive(2, TARGET + 8192, 4096);
        Request last = Request.of(Operation.SEND_INVALIDATE, SOURCE, 100, window);
        it.requester().post(last.id(2).first(Integer.toUnsignedLong(key)));
        it.expectSent(2, Operation.SEND_INVALIDATE);
        CompletionRecord done = it.awaitReceived(2);
        expectEqual("status of the receive", CompletionStatus.SUCCESS, done.status());
        expectEqual("invalidated key", OptionalInt.of(key), done.invalidated());
        it.expectAtRest();
        it.refused(
                Request.of(Operation.WRITE, SOURCE, 8, window),
                CompletionStatus.REMOTE_ACCESS_ERROR);
    }

    private static void compareAndSwap(ConnectedSides it) {
        it.open(Setup.ORDINARY);
        RemoteSlice word = it.remote(TARGET, 8);
        it.responder().word(TARGET, 41);
        it.requester().post(Request.compareAndSwap(SOURCE, word, 41, Long.MIN_VALUE).id(1));
        it.expectSent(1, Operation.COMPARE_SWAP);
        expectEqual("value before", 41L, it.requester().word(SOURCE));
        expectEqual("value after", Long.MIN_VALUE, it.responder().word(TARGET));

        it.requester().post(Request.compareAndSwap(SOURCE, word, 41, 7).id(2));
        it.expectSent(2, Operation.COMPARE_SWAP);
        expectEqual("value that differs", Long.MIN_VALUE, it.requester().word(SOURCE));
        expectEqual("value not swapped", Long.MIN_VALUE, it.responder().word(TARGET));
        it.expectAtRest();
    }

    private static void fetchAndAdd(ConnectedSides it) {
        it.open(Setup.ORDINARY);
        long value = Long.MAX_VALUE - 2;
        it.responder().word(TARGET, value);
        long id = 0;
        for (long addend : new long[] {1, 5, -7, 0, Long.MIN_VALUE}) {
            Request add = Request.fetchAndAdd(SOURCE, it.remote(TARGET, 8), addend);
            it.requester().post(add.id(++id));
            it.expectSent(id, Operation.FETCH_ADD);
            expectEqual("value before adding " + addend, value, it.requester().word(SOURCE));
            value += addend;
            expectEqual("value after adding " + addend, value, it.responder().word(TARGET));
        }
        it.expectAtRest();
    }

    private static void zeroLength(ConnectedSides it) {
        it.open(Setup.ORDINARY);
        it.transfer(Operation.SEND, 0);
        it.transfer(Operation.SEND_IMMEDIATE, 0);
        it.transfer(Operation.WRITE, 0);
        it.transfer(Operation.WRITE_IMMEDIATE, 0);
        it.transfer(Operation.READ, 0);
        it.expectAtRest();
    }

    private static void oddLengths(ConnectedSides it) {
        it.open(Setup.ORDINARY);
        for (Operation operation :
                List.of(Operation.SEND, Operation.WRITE_IMMEDIATE, Operation.READ)) {
            for (int length : new int[] {1, 3, it.mtu() - 1, it.mtu() + 1, 5 * it.mtu() + 2}) {
                it.transfer(operation, length);
            }
        }
        it.expectAtRest();
    }

    /// The first number sent is 16 before the last there is, so each message meets the wrap.
    private static void psnWrap(ConnectedSides it) {
        for (Operation operation :
                List.of(Operation.SEND_IMMEDIATE, Operation.WRITE, Operation.READ)) {
            it.open(Setup.ORDINARY.psn(WRAPPING_PSN));
            it.transfer(operation, 40 * it.mtu() + 1);
            it.transfer(operation, 100);
            it.expectAtRest();
        }
    }
}
