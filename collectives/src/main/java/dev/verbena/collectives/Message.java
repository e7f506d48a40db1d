package dev.verbena.collectives;

import dev.verbena.collectives.plan.Place;
import dev.verbena.collectives.plan.Plan;
import dev.verbena.collectives.plan.Step;

/// A message to one rank, a message from one rank, or both.
///
/// @param to rank, or -1 for none
/// @param from rank, or -1 for none
record Message(long outBytes, int to, long inBytes, int from, long piece) implements Plan {
    @Override
    public int lanes() {
        return 1;
    }

    @Override
    public int sends(int lane) {
        return to < 0 ? 0 : Math.toIntExact(Math.ceilDiv(outBytes, piece));
    }

    @Override
    public int receives(int lane) {
        return from < 0 ? 0 : Math.toIntExact(Math.ceilDiv(inBytes, piece));
    }

    @Override
    public void send(int lane, int index, Step into) {
        set(to, outBytes, Place.INPUT, index, into);
    }

    @Override
    public void receive(int lane, int index, Step into) {
        set(from, inBytes, Place.OUTPUT, index, into);
    }

    private void set(int peer, long bytes, Place place, int index, Step into) {
        long at = index * piece;
        into.set(peer, Math.min(piece, bytes - at), place, at);
    }
}
