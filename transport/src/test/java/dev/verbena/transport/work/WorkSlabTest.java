package dev.verbena.transport.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Every field of a slot is read as it was written, whatever its neighbours hold.
class WorkSlabTest {
    private static final int KIND = 0xC5;
    private static final int FLAG = 0x40;

    private final WorkSlab work = new WorkSlab(100);

    /// The second slot, with slots before and behind it in use.
    private int slot() {
        work.take(1, 1);
        int slot = work.take(KIND, 0xFEDC_BA98_7654_3210L);
        work.take(2, 2);
        return slot;
    }

    private void fill(int slot) {
        work.set(slot, FLAG);
        work.immediate(slot, 0x9ABC_DEF0);
        work.remote(slot, 0x8123_4567_89AB_CDEFL, 0xF00D_BEEF);
        work.firstPsn(slot, 0xFEDCBA);
        work.sendSequence(slot, 0xABCDEF);
        work.operands(slot, -3, -4);
    }

    private void check(int slot) {
        assertThat(work.id(slot)).isEqualTo(0xFEDC_BA98_7654_3210L);
        assertThat(work.kind(slot)).isEqualTo(KIND);
        assertThat(work.has(slot, FLAG)).isTrue();
        assertThat(work.has(slot, ~FLAG & 0xFF)).isFalse();
        assertThat(work.immediate(slot)).isEqualTo(0x9ABC_DEF0);
        assertThat(work.remoteAddress(slot)).isEqualTo(0x8123_4567_89AB_CDEFL);
        assertThat(work.remoteKey(slot)).isEqualTo(0xF00D_BEEF);
        assertThat(work.firstPsn(slot)).isEqualTo(0xFEDCBA);
        assertThat(work.sendSequence(slot)).isEqualTo(0xABCDEF);
        assertThat(work.operand(slot, 0)).isEqualTo(-3);
        assertThat(work.operand(slot, 1)).isEqualTo(-4);
    }

    @Test
    void fieldsDoNotTouchEachOther() {
        int slot = slot();
        fill(slot);
        check(slot);
        fill(slot);
        check(slot);
        assertThat(work.next(slot)).isEqualTo(WorkSlab.NIL);
        work.next(slot, 77);
        assertThat(work.next(slot)).isEqualTo(77);
        work.firstPsn(slot, 1);
        work.sendSequence(slot, 2);
        assertThat(work.firstPsn(slot)).isEqualTo(1);
        assertThat(work.sendSequence(slot)).isEqualTo(2);
        assertThat(work.remoteKey(slot)).isEqualTo(0xF00D_BEEF);
        work.id(slot, 5);
        assertThat(work.id(slot)).isEqualTo(5);
    }

    @Test
    void aRequestHasTwelvePiecesAndTheSumOfTheirLengths() {
        int slot = slot();
        fill(slot);
        for (int i = 0; i < WorkSlab.MAX_PIECES; i++) {
            assertThat(work.addPiece(slot, 10 + i, 1000L + i, 1L << (2 * i))).isTrue();
            assertThat(work.pieces(slot)).isEqualTo(i + 1);
        }
        check(slot);
        for (int i = 0; i < WorkSlab.MAX_PIECES; i++) {
            assertThat(work.pieceRegion(slot, i)).isEqualTo(10 + i);
            assertThat(work.pieceOffset(slot, i)).isEqualTo(1000 + i);
            assertThat(work.pieceLength(slot, i)).isEqualTo(1L << (2 * i));
        }
        assertThat(work.length(slot)).isEqualTo(((1L << 24) - 1) / 3);
        work.next(slot, 9);
        assertThat(work.next(slot)).isEqualTo(9);
        assertThat(work.pieceRegion(slot, 11)).as("the link to further pieces").isEqualTo(21);
    }

    @Test
    void lengthsUpToTheLargestMessageFit() {
        int slot = slot();
        work.sendSequence(slot, 0xFFFFFF);
        work.addPiece(slot, 0x7FFF_FFFF, -1, WorkSlab.MAX_LENGTH);
        assertThat(work.length(slot)).isEqualTo(WorkSlab.MAX_LENGTH);
        assertThat(work.pieceLength(slot, 0)).isEqualTo(WorkSlab.MAX_LENGTH);
        assertThat(work.pieceRegion(slot, 0)).isEqualTo(0x7FFF_FFFF);
        assertThat(work.sendSequence(slot)).isEqualTo(0xFFFFFF);
    }

    @Test
    void aNoteTakesThePlaceOfPieces() {
        int slot = slot();
        fill(slot);
        work.note(slot, -9);
        assertThat(work.note(slot)).isEqualTo(-9);
        check(slot);
    }

    @Test
    void aSlotUsedAgainIsEmpty() {
        int slot = slot();
        fill(slot);
        for (int i = 0; i < 5; i++) {
            work.addPiece(slot, i, i, i);
        }
        assertThat(work.used()).isEqualTo(4);
        work.give(slot);
        assertThat(work.used()).isEqualTo(2);

        int again = work.take(3, 4);
        assertThat(again).isEqualTo(slot);
        assertThat(work.kind(again)).isEqualTo(3);
        assertThat(work.has(again, FLAG)).isFalse();
        assertThat(work.immediate(again)).isZero();
        assertThat(work.pieces(again)).isZero();
        assertThat(work.length(again)).isZero();
        assertThat(work.next(again)).isEqualTo(WorkSlab.NIL);
    }

    @Test
    void slotsAreDifferentUpToTheLimit() {
        Set<Integer> slots = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            int slot = work.take(1, i);
            assertThat(slot).isBetween(0, 99);
            assertThat(slots.add(slot)).isTrue();
        }
        assertThat(work.take(1, 0)).isEqualTo(WorkSlab.NIL);
        assertThat(work.used()).isEqualTo(100);
        for (int slot : slots) {
            assertThat(slots).contains((int) work.id(slot));
        }
    }

    @Test
    void furtherPiecesNeedASlotOfTheirOwn() {
        WorkSlab small = new WorkSlab(1);
        int slot = small.take(1, 1);
        for (int i = 0; i < 4; i++) {
            assertThat(small.addPiece(slot, i, i, i)).isTrue();
        }
        assertThat(small.addPiece(slot, 4, 4, 4)).isFalse();
        assertThat(small.pieces(slot)).isEqualTo(4);
    }

    @Test
    void aQueueIsInTheOrderOfPosting() {
        WorkQueue queue = new WorkQueue(work, 4);
        assertThat(queue.room()).isEqualTo(4);
        int first = work.take(1, 1);
        int second = work.take(1, 2);
        int third = work.take(1, 3);
        work.next(first, second);
        queue.append(first, second, 2);
        queue.append(third, third, 1);
        assertThat(queue.count()).isEqualTo(3);
        assertThat(queue.room()).isEqualTo(1);

        assertThat(queue.head()).isEqualTo(first);
        assertThat(queue.take()).isEqualTo(first);
        assertThat(queue.room()).as("a message is being put into it").isEqualTo(1);
        queue.done();
        assertThat(queue.room()).isEqualTo(2);
        assertThat(queue.remove()).isEqualTo(second);
        assertThat(queue.remove()).isEqualTo(third);
        assertThat(queue.head()).isEqualTo(WorkSlab.NIL);
        assertThat(queue.count()).isZero();
        assertThat(queue.room()).isEqualTo(4);

        queue.append(second, second, 1);
        assertThat(queue.head()).as("after it was empty").isEqualTo(second);
    }
}
