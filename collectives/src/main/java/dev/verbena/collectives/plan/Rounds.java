package dev.verbena.collectives.plan;

import java.util.ArrayList;
import java.util.List;

/// A plan of one lane in few rounds: a message of each round is written down, its pieces are
/// computed.
///
/// Rounds are added in the order in which the algorithm thinks of them. What a piece waits for
/// follows from the memory: a send waits for the last earlier receive into its memory, a receive
/// for the last earlier send from its memory. Where input and output are the same memory in place,
/// both names count.
final class Rounds extends CopyingPlan {
    private record Round(
            int peer,
            Place place,
            long offset,
            long count,
            boolean combines,
            Place operand,
            long operandOffset,
            int pieces,
            int before,
            int others,
            boolean afterAll) {
        int end() {
            return before + pieces;
        }
    }

    private final long piece;
    private final long outputInInput;
    private final List<Round> sends = new ArrayList<>();
    private final List<Round> receives = new ArrayList<>();
    private long scratch;

    /// @param outputInInput the offset in the input at which the output begins in place
    Rounds(int rank, long piece, long outputInInput) {
        super(rank);
        this.piece = piece;
        this.outputInInput = outputInInput;
    }

    Rounds(Shape shape) {
        this(shape.rank(), shape.pieceElements(), 0);
    }

    /// Adds a send; nothing if it has no elements.
    void send(int peer, Place place, long offset, long count) {
        send(peer, place, offset, count, false);
    }

    /// Adds a send of one element of scratch that waits for all receives so far.
    void signal(int peer) {
        send(peer, Place.SCRATCH, 0, 1, true);
    }

    /// Adds a receive; nothing if it has no elements.
    void receive(int peer, Place place, long offset, long count) {
        receive(peer, place, offset, count, false, place, offset);
    }

    /// Adds a receive that combines; nothing if it has no elements.
    void combine(
            int peer, Place place, long offset, long count, Place operand, long operandOffset) {
        receive(peer, place, offset, count, true, operand, operandOffset);
    }

    void scratch(long elements) {
        scratch = elements;
    }

    @Override
    public long scratch() {
        return scratch;
    }

    @Override
    public int lanes() {
        return 1;
    }

    @Override
    public int sends(int lane) {
        return total(sends);
    }

    @Override
    public int receives(int lane) {
        return total(receives);
    }

    @Override
    public void send(int lane, int index, Step into) {
        Round round = fill(sends, index, into);
        for (int i = round.others - 1; i >= 0; i--) {
            Round receive = receives.get(i);
            if (round.afterAll) {
                into.afterReceives(0, receive.end());
                return;
            }
            if (receive.place == round.place) {
                int pieces = pieces(receive, into.offset, into.count);
                if (pieces > 0) {
                    into.afterReceives(0, receive.before + pieces);
                    return;
                }
            }
        }
    }

    @Override
    public void receive(int lane, int index, Step into) {
        Round round = fill(receives, index, into);
        if (round.combines) {
            into.with(round.operand, round.operandOffset + into.offset - round.offset);
        }
        for (int i = round.others - 1; i >= 0; i--) {
            Round send = sends.get(i);
            long shift = 0;
            if (send.place == Place.INPUT && round.place == Place.OUTPUT) {
                shift = outputInInput;
            } else if (send.place != round.place) {
                continue;
            }
            int pieces = pieces(send, into.offset + shift, into.count);
            if (pieces > 0) {
                into.afterSends(0, send.before + pieces);
                return;
            }
        }
    }

    private Round fill(List<Round> rounds, int index, Step into) {
        int i = 0;
        while (rounds.get(i).end() <= index) {
            i++;
        }
        Round round = rounds.get(i);
        int which = index - round.before;
        long start = round.offset + Blocks.partStart(round.count, round.pieces, which);
        into.set(round.peer, Blocks.part(round.count, round.pieces, which), round.place, start);
        return round;
    }

    /// How many pieces of a round must be over for this memory; 0 if the round has none of it.
    private static int pieces(Round round, long offset, long count) {
        long end = Math.min(offset + count, round.offset + round.count);
        if (end <= Math.max(offset, round.offset)) {
            return 0;
        }
        return Blocks.partOf(round.count, round.pieces, end - 1 - round.offset) + 1;
    }

    private void send(int peer, Place place, long offset, long count, boolean afterAll) {
        if (count > 0) {
            int before = total(sends);
            int pieces = Blocks.pieces(count, piece);
            Blocks.requireCountable((long) before + pieces, piece);
            sends.add(
                    new Round(
                            peer,
                            place,
                            offset,
                            count,
                            false,
                            place,
                            offset,
                            pieces,
                            before,
                            receives.size(),
                            afterAll));
        }
    }

    private void receive(
            int peer,
            Place place,
            long offset,
            long count,
            boolean combines,
            Place operand,
            long operandOffset) {
        if (count > 0) {
            int before = total(receives);
            int pieces = Blocks.pieces(count, piece);
            Blocks.requireCountable((long) before + pieces, piece);
            receives.add(
                    new Round(
                            peer,
                            place,
                            offset,
                            count,
                            combines,
                            operand,
                            operandOffset,
                            pieces,
                            before,
                            sends.size(),
                            false));
        }
    }

    private static int total(List<Round> rounds) {
        return rounds.isEmpty() ? 0 : rounds.getLast().end();
    }
}
