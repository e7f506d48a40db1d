package dev.verbena.cli;

import dev.verbena.verbs.ReceiveBatch;
import dev.verbena.verbs.SendBatch;

/// Turns messages of a test into work requests; allocates nothing.
final class PerfRequests {
    private final PerfEnd end;
    private final PerfVerb verb;
    private final boolean isSwap;
    private final boolean isDatagram;
    private final boolean isInline;
    private final int bytes;

    PerfRequests(PerfEnd end, int bytes) {
        this.end = end;
        this.bytes = bytes;
        PerfOptions options = end.options;
        verb = options.measure().verb();
        isSwap = options.measure().atomic() == AtomicKind.CMP_AND_SWAP;
        isDatagram = end.ways.length > 0;
        isInline = !verb.isRoundTrip() && bytes <= options.posting().inlineBytes();
    }

    /// Adds the request for one message of a queue pair, at `offset` of its half of the memory.
    void add(SendBatch batch, int pair, long offset) {
        switch (verb) {
            case WRITE -> batch.write(end.peerIncoming() + offset, end.peerKey());
            case READ -> {
                batch.read(end.peerOutgoing() + offset, end.peerKey());
                batch.local(end.region, end.halfBytes + offset, bytes);
                return;
            }
            case SEND -> {
                batch.send();
                if (isDatagram) {
                    batch.to(end.ways[pair], end.peer(pair));
                }
            }
            case ATOMIC -> {
                long address = end.peerIncoming() + offset;
                if (isSwap) {
                    batch.compareAndSwap(address, end.peerKey(), 0, 1);
                } else {
                    batch.fetchAndAdd(address, end.peerKey(), 1);
                }
            }
        }
        if (isInline) {
            batch.inline(end.memory, offset, bytes);
        } else {
            batch.local(end.region, offset, bytes);
        }
    }

    /// Adds a receive for the longest message of the run.
    void addReceive(ReceiveBatch batch, long offset) {
        batch.receive().local(end.region, end.halfBytes + offset, end.options.amount().bytesMax());
    }
}
