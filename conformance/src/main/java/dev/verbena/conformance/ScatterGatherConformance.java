package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.CompletedOperation;
import dev.verbena.verbs.LocalSlice;
import dev.verbena.verbs.ReceiveBatch;
import dev.verbena.verbs.SendBatch;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Requests whose memory lies in pieces: gathered on one side, scattered on the other.
public interface ScatterGatherConformance extends Conformance {
    @Test
    default void sendGathersAndReceiveScatters(World world) {
        Connection connection = Setup.of(world).pathMtu(256).connect();
        Side left = connection.left();
        Side right = connection.right();
        left.fill(0, 65_536, 1);
        List<LocalSlice> from = pieces(left, 37);
        List<LocalSlice> into = pieces(right, 53);
        assertThat(right.pair().postReceive(batch -> scatter(batch.receive(), into))).isTrue();

        left.post(batch -> gather(batch.send(), from).signaled());

        left.sent().next().succeeded();
        long length = length(from);
        right.received().next().succeeded().of(CompletedOperation.RECEIVE, length);
        assertThat(joined(right, into)).startsWith(joined(left, from));
        gapsAreUntouched(right, into);
    }

    @Test
    default void writeGathers(World world) {
        Connection connection = Setup.of(world).pathMtu(256).connect();
        Side left = connection.left();
        Side right = connection.right();
        left.fill(0, 65_536, 1);
        List<LocalSlice> from = pieces(left, 101);
        int key = right.memory().remoteKey();

        left.post(batch -> gather(batch.write(right.memory().address() + 3, key), from).signaled());

        left.sent().next().succeeded().of(CompletedOperation.WRITE, length(from));
        right.holds(3, joined(left, from));
        right.isUntouched(3 + length(from), 1000);
    }

    @Test
    default void readScatters(World world) {
        Connection connection = Setup.of(world).pathMtu(256).connect();
        Side left = connection.left();
        Side right = connection.right();
        right.fill(0, 65_536, 1);
        List<LocalSlice> into = pieces(left, 101);
        int key = right.memory().remoteKey();

        left.post(batch -> gather(batch.read(right.memory().address() + 1, key), into).signaled());

        left.sent().next().succeeded().of(CompletedOperation.READ, length(into));
        assertThat(joined(left, into)).isEqualTo(right.bytes(1, length(into)));
        gapsAreUntouched(left, into);
    }

    @Test
    default void emptyPiecesAreSkipped(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Side right = connection.right();
        left.fill(0, 100, 1);
        boolean posted =
                right.pair()
                        .postReceive(
                                batch ->
                                        batch.receive()
                                                .local(right.memory(), 0, 0)
                                                .local(right.memory(), 0, 4)
                                                .local(right.memory(), 50, 0)
                                                .local(right.memory(), 4, 16));
        assertThat(posted).isTrue();

        left.post(
                batch ->
                        batch.send(left.slice(0, 0))
                                .local(left.slice(0, 9))
                                .local(left.slice(70, 0))
                                .local(left.slice(9, 11)));

        right.received().next().succeeded().of(CompletedOperation.RECEIVE, 20);
        right.holds(0, left.bytes(0, 20));
    }

    @Test
    default void piecesMayBeOfSeveralRegions(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Side right = connection.right();
        LocalSlice other = left.domain().allocate(100).slice(0, 50);
        Side.fill(other.region().segment(), 0, 50, 7);
        left.fill(0, 50, 8);
        right.receive(1, 0, 100);

        left.post(batch -> batch.send(left.slice(0, 50)).local(other).signaled());

        left.sent().next().succeeded();
        right.received().next().succeeded();
        right.holds(0, left.bytes(0, 50));
        right.holds(50, other.region().segment().asSlice(0, 50).toArray(ValueLayout.JAVA_BYTE));
    }

    /// As many pieces as a request may have, of odd lengths around the given, with gaps between.
    private static List<LocalSlice> pieces(Side side, int about) {
        List<LocalSlice> pieces = new ArrayList<>();
        long at = 1;
        for (int i = 0; i < side.device().limits().scatterGather(); i++) {
            long length = about + (i % 5) * 2L - 4;
            pieces.add(side.slice(at, length));
            at += length + 1 + i % 3;
        }
        return pieces;
    }

    private static SendBatch gather(SendBatch batch, List<LocalSlice> pieces) {
        pieces.forEach(batch::local);
        return batch;
    }

    private static ReceiveBatch scatter(ReceiveBatch batch, List<LocalSlice> pieces) {
        pieces.forEach(piece -> batch.local(piece.region(), piece.offset(), piece.length()));
        return batch;
    }

    private static long length(List<LocalSlice> pieces) {
        return pieces.stream().mapToLong(LocalSlice::length).sum();
    }

    private static byte[] joined(Side side, List<LocalSlice> pieces) {
        byte[] all = new byte[Math.toIntExact(length(pieces))];
        int at = 0;
        for (LocalSlice piece : pieces) {
            byte[] bytes = side.bytes(piece.offset(), piece.length());
            System.arraycopy(bytes, 0, all, at, bytes.length);
            at += bytes.length;
        }
        return all;
    }

    private static void gapsAreUntouched(Side side, List<LocalSlice> pieces) {
        long at = 0;
        for (LocalSlice piece : pieces) {
            side.isUntouched(at, piece.offset() - at);
            at = piece.offset() + piece.length();
        }
        side.isUntouched(at, 1000);
    }
}
