package dev.verbena.ibverbs;

import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ReceiveBatch;
import dev.verbena.verbs.spi.DatagramRules;
import dev.verbena.verbs.spi.ObjectRules;
import dev.verbena.verbs.spi.WorkKind;
import dev.verbena.verbs.spi.WorkRules;
import java.lang.ref.Reference;

/// Receive requests, filled as the library wants them and posted with one call.
final class IbvReceiveBatch implements ReceiveBatch {
    private final IbvDomain domain;
    private final IbvContext context;
    private final Requests requests;
    private final ReceiveTarget target;
    private final Staging staging;
    private final int mostPieces;
    private final Filler filler = new Filler();
    private int count;
    private int place;
    private long bytes;
    private long leastBytes;
    private boolean isOpen;
    private boolean isFull;

    IbvReceiveBatch(IbvDomain domain, Requests requests, ReceiveTarget target) {
        this.domain = domain;
        this.context = domain.context;
        this.requests = requests;
        this.target = target;
        this.mostPieces = context.abilities.pieces();
        this.staging = new Staging(Structs.RecvWr.SIZE, mostPieces, 0);
    }

    /// Begins a new batch; an unposted one is cancelled.
    void open() {
        filler.begin(target);
        requests.commit(0);
        count = 0;
        isFull = false;
        isOpen = true;
        leastBytes = Long.MAX_VALUE;
    }

    @Override
    public ReceiveBatch receive() {
        requireOpen();
        finishRequest();
        if (isFull) {
            return this;
        }
        place = requests.stage(count);
        if (place < 0) {
            isFull = true;
            return this;
        }
        staging.reach(count);
        long request = staging.request(count);
        Memory.putLong(request + Structs.RecvWr.ID, requests.number(place));
        Memory.putInt(request + Structs.RecvWr.NUM_SGE, 0);
        bytes = 0;
        count++;
        return this;
    }

    private void finishRequest() {
        if (count > 0) {
            leastBytes = Math.min(leastBytes, bytes);
        }
    }

    @Override
    public ReceiveBatch local(MemoryRegion given, long offset, long length) {
        if (isNotBegun()) {
            return this;
        }
        IbvRegion region = domain.own(given);
        if (region == null) {
            throw WorkRules.foreign(target, WorkKind.RECEIVE, given);
        }
        region.requireOpen();
        WorkRules.requireLocal(
                target,
                WorkKind.RECEIVE,
                region,
                region.length(),
                region.rightBits,
                offset,
                length);
        long request = staging.request(count - 1);
        int pieces = Memory.getInt(request + Structs.RecvWr.NUM_SGE);
        WorkRules.requirePiece(
                target, WorkKind.RECEIVE, pieces, mostPieces, SendLimits.MORE_PIECES);
        long most = context.limits.messageBytes();
        WorkRules.requireMessage(target, WorkKind.RECEIVE, bytes, length, most);
        if (length > 0) {
            long piece = staging.pieces(count - 1) + (long) pieces * Structs.Sge.SIZE;
            Memory.putLong(piece + Structs.Sge.ADDRESS, region.base + offset);
            Memory.putInt(piece + Structs.Sge.LENGTH, (int) length);
            Memory.putInt(piece + Structs.Sge.KEY, region.localKey());
            Memory.putInt(request + Structs.RecvWr.NUM_SGE, pieces + 1);
            requests.hold(place, pieces, region);
            bytes += length;
        }
        return this;
    }

    @Override
    public ReceiveBatch id(long id) {
        if (!isNotBegun()) {
            requests.name(place, id);
        }
        return this;
    }

    @Override
    public boolean post() {
        requireOpen();
        try {
            return postAll();
        } finally {
            filler.end();
        }
    }

    private boolean postAll() {
        isOpen = false;
        finishRequest();
        try {
            target.check();
            requireBytes();
            enter();
        } catch (RuntimeException refused) {
            requests.commit(0);
            throw refused;
        }
        if (isFull || count == 0) {
            target.guard().leave();
            requests.commit(0);
            return !isFull;
        }
        link();
        staging.clearBad();
        // Before the device can complete any of it.
        requests.commit(count);
        int reason;
        try {
            reason = target.post(context.fast, staging.request(0), staging.bad());
        } finally {
            target.guard().leave();
            Reference.reachabilityFence(staging);
        }
        if (reason != 0) {
            int first = staging.badIndex(count);
            requests.takeBack(first, count);
            throw Errno.notPosted(target.toString(), "receive " + first + " of the batch", reason);
        }
        target.posted();
        return true;
    }

    /// Enters the guard; its state is looked at inside, where it does not change to one that takes
    /// no requests.
    private void enter() {
        if (!target.guard().enter()) {
            throw ObjectRules.closed(target);
        }
        try {
            target.check();
        } catch (RuntimeException refused) {
            target.guard().leave();
            throw refused;
        }
    }

    private void link() {
        for (int i = 0; i < count; i++) {
            long request = staging.request(i);
            long next = i + 1 < count ? staging.request(i + 1) : 0;
            Memory.putLong(request + Structs.RecvWr.NEXT, next);
            Memory.putLong(request + Structs.RecvWr.SG_LIST, staging.pieces(i));
            Memory.putLong(
                    request + Structs.RecvWr.ID, requests.renumbered(request + Structs.RecvWr.ID));
        }
    }

    private void requireBytes() {
        if (!isFull && target.takesDatagrams()) {
            DatagramRules.requireHeaderRoom(target, leastBytes);
        }
    }

    @Override
    public void abort() {
        requireOpen();
        isOpen = false;
        requests.commit(0);
        filler.end();
    }

    private boolean isNotBegun() {
        requireOpen();
        if (count == 0 && !isFull) {
            throw WorkRules.noReceiveBegun(target);
        }
        return isFull;
    }

    private void requireOpen() {
        filler.require(target);
        if (!isOpen) {
            throw WorkRules.batchEnded();
        }
    }
}
