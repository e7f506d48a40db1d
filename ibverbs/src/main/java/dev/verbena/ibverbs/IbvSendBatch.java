package dev.verbena.ibverbs;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.SendBatch;
import dev.verbena.verbs.spi.DatagramRules;
import dev.verbena.verbs.spi.InlineRules;
import dev.verbena.verbs.spi.WindowRules;
import dev.verbena.verbs.spi.WorkKind;
import dev.verbena.verbs.spi.WorkRules;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.util.Set;

/// Send requests, filled as the library wants them and posted with one call.
///
/// All mistakes of a caller are found during the call; the device would report the same error for
/// all of them, or fail the queue pair.
final class IbvSendBatch implements SendBatch {
    private final IbvQueuePair pair;
    private final IbvContext context;
    private final RequestRing requests;
    private final Staging staging;
    private final SendLimits limits;
    private final WindowBinds binds;
    private final Filler filler = new Filler();
    private int count;
    private int place;
    private long request;
    private WorkKind kind = WorkKind.SEND;
    private int pieces;
    private long bytes;
    private boolean isAddressed;
    private boolean isOpen;
    private boolean isFull;

    /// Requests since the last one that completes when it succeeds.
    private int unsignaled;

    IbvSendBatch(IbvQueuePair pair) {
        this.pair = pair;
        this.context = pair.context();
        this.requests = pair.sends;
        this.limits = SendLimits.of(context);
        this.staging =
                new Staging(Structs.SendWr.SIZE, limits.pieces(), context.limits.inlineBytes());
        this.binds = new WindowBinds(pair, requests, staging);
    }

    /// Begins a new batch; an unposted one is cancelled.
    void open() {
        filler.begin(pair);
        if (isOpen) {
            giveUp();
        }
        count = 0;
        binds.clear();
        isFull = false;
        isOpen = true;
    }

    private void giveUp() {
        isOpen = false;
        binds.withdraw(0, count);
        requests.commit(0);
    }

    @Override
    public SendBatch send() {
        begin(WorkKind.SEND, SendCode.SEND);
        return this;
    }

    @Override
    public SendBatch sendImmediate(int immediate) {
        if (begin(WorkKind.SEND_IMMEDIATE, SendCode.SEND_IMMEDIATE)) {
            immediate(immediate);
        }
        return this;
    }

    @Override
    public SendBatch sendInvalidate(int remoteKey) {
        if (begin(WorkKind.SEND_INVALIDATE, SendCode.SEND_INVALIDATE)) {
            Memory.putInt(request + Structs.SendWr.IMMEDIATE, remoteKey);
        }
        return this;
    }

    @Override
    public SendBatch write(long remoteAddress, int remoteKey) {
        if (begin(WorkKind.WRITE, SendCode.WRITE)) {
            remote(remoteAddress, remoteKey);
        }
        return this;
    }

    @Override
    public SendBatch writeImmediate(long remoteAddress, int remoteKey, int immediate) {
        if (begin(WorkKind.WRITE_IMMEDIATE, SendCode.WRITE_IMMEDIATE)) {
            immediate(immediate);
            remote(remoteAddress, remoteKey);
        }
        return this;
    }

    @Override
    public SendBatch read(long remoteAddress, int remoteKey) {
        if (begin(WorkKind.READ, SendCode.READ)) {
            remote(remoteAddress, remoteKey);
        }
        return this;
    }

    @Override
    public SendBatch compareAndSwap(
            long remoteAddress, int remoteKey, long expected, long replacement) {
        if (begin(WorkKind.COMPARE_SWAP, SendCode.COMPARE_SWAP)) {
            atomic(remoteAddress, remoteKey, expected, replacement);
        }
        return this;
    }

    @Override
    public SendBatch fetchAndAdd(long remoteAddress, int remoteKey, long addend) {
        if (begin(WorkKind.FETCH_ADD, SendCode.FETCH_ADD)) {
            atomic(remoteAddress, remoteKey, addend, 0);
        }
        return this;
    }

    @Override
    public SendBatch localInvalidate(int remoteKey) {
        if (begin(WorkKind.LOCAL_INVALIDATE, SendCode.LOCAL_INVALIDATE)) {
            Memory.putInt(request + Structs.SendWr.IMMEDIATE, remoteKey);
        }
        return this;
    }

    @Override
    public SendBatch bind(
            MemoryWindow givenWindow,
            MemoryRegion givenRegion,
            long offset,
            long length,
            Set<Access> rights) {
        requireOpen();
        IbvWindow window = binds.own(givenWindow);
        IbvRegion region = binds.own(givenRegion);
        window.requireOpen();
        region.requireOpen();
        int bits =
                WindowRules.check(
                        pair, window.type(), region, region.rightBits, offset, length, rights);
        if (begin(WorkKind.BIND_WINDOW, SendCode.BIND)) {
            binds.stage(request, place, window, region, offset, length, bits);
        }
        return this;
    }

    /// Begins a request; false when there is no room for it, and then for none behind it.
    private boolean begin(WorkKind wanted, int code) {
        requireOpen();
        checkLast();
        if (!wanted.isIn(pair.type())) {
            throw WorkRules.notInService(pair, wanted, pair.type());
        }
        kind = wanted;
        int staged = isFull ? -1 : requests.stage(count);
        if (staged < 0) {
            isFull = true;
            return false;
        }
        place = staged;
        staging.reach(count);
        request = staging.request(count);
        pieces = 0;
        bytes = 0;
        isAddressed = false;
        count++;
        Memory.putLong(request + Structs.SendWr.ID, requests.number(place));
        Memory.putInt(request + Structs.SendWr.OPCODE, code);
        Memory.putInt(request + Structs.SendWr.FLAGS, 0);
        return true;
    }

    private void immediate(int value) {
        Memory.putInt(request + Structs.SendWr.IMMEDIATE, Integer.reverseBytes(value));
    }

    private void remote(long address, int key) {
        Memory.putLong(request + Structs.SendWr.REMOTE_ADDRESS, address);
        Memory.putInt(request + Structs.SendWr.REMOTE_KEY, key);
    }

    private void atomic(long address, int key, long compareOrAdd, long swap) {
        Memory.putLong(request + Structs.SendWr.REMOTE_ADDRESS, address);
        Memory.putLong(request + Structs.SendWr.ATOMIC_COMPARE_ADD, compareOrAdd);
        Memory.putLong(request + Structs.SendWr.ATOMIC_SWAP, swap);
        Memory.putInt(request + Structs.SendWr.ATOMIC_KEY, key);
    }

    @Override
    public SendBatch to(AddressHandle given, int queuePair, int queueKey) {
        if (isNotBegun()) {
            return this;
        }
        DatagramRules.requireDatagram(pair, kind, pair.type());
        if (!(given instanceof IbvAddressHandle way) || !way.domain().equals(pair.domain())) {
            throw WorkRules.foreign(pair, kind, given);
        }
        DatagramRules.requireDestination(pair, kind, queuePair, isAddressed);
        // In this order: the thread that closes it sees the request, or the request sees that it is
        // closed.
        requests.accompany(place, way);
        VarHandle.fullFence();
        way.requireOpen();
        isAddressed = true;
        Memory.putLong(request + Structs.SendWr.UD_AH, way.structure());
        Memory.putInt(request + Structs.SendWr.UD_QP, queuePair);
        Memory.putInt(request + Structs.SendWr.UD_QKEY, queueKey);
        return this;
    }

    @Override
    public SendBatch local(MemoryRegion given, long offset, long length) {
        if (isNotBegun()) {
            return this;
        }
        IbvRegion region = pair.domainImpl().own(given);
        if (region == null) {
            throw WorkRules.foreign(pair, kind, given);
        }
        region.requireOpen();
        WorkRules.requireLocal(
                pair, kind, region, region.length(), region.rightBits, offset, length);
        requireRoom(length);
        if (length > 0) {
            addPiece(region.base + offset, length, region.localKey());
            requests.hold(place, pieces - 1, region);
        }
        return this;
    }

    private void requireRoom(long length) {
        WorkRules.requirePiece(pair, kind, pieces, limits.pieces(), SendLimits.MORE_PIECES);
        if (has(Structs.SendWr.INLINE)) {
            throw InlineRules.alreadyInline(pair, kind);
        }
        WorkRules.requireMessage(pair, kind, bytes, length, limits.bytes(pair.type(), kind));
    }

    @Override
    public SendBatch inline(MemorySegment from, long offset, long length) {
        if (isNotBegun()) {
            return this;
        }
        long most = Math.min(context.limits.inlineBytes(), limits.bytes(pair.type(), kind));
        boolean hasBytes = pieces > 0 || has(Structs.SendWr.INLINE);
        InlineRules.check(pair, kind, most, hasBytes, from, offset, length);
        if (length > 0) {
            try {
                Memory.copy(from, offset, staging.inline(count - 1), length);
            } catch (WrongThreadException confined) {
                throw InlineRules.confined(pair, kind);
            }
            addPiece(0, length, 0);
            flag(Structs.SendWr.INLINE);
        }
        return this;
    }

    private void addPiece(long address, long length, int key) {
        long piece = staging.pieces(count - 1) + (long) pieces * Structs.Sge.SIZE;
        Memory.putLong(piece + Structs.Sge.ADDRESS, address);
        Memory.putInt(piece + Structs.Sge.LENGTH, (int) length);
        Memory.putInt(piece + Structs.Sge.KEY, key);
        pieces++;
        bytes += length;
    }

    @Override
    public SendBatch id(long id) {
        if (!isNotBegun()) {
            requests.name(place, id);
        }
        return this;
    }

    @Override
    public SendBatch signaled() {
        if (!isNotBegun()) {
            flag(Structs.SendWr.SIGNALED);
        }
        return this;
    }

    @Override
    public SendBatch fence() {
        if (!isNotBegun()) {
            flag(Structs.SendWr.FENCE);
        }
        return this;
    }

    @Override
    public SendBatch solicited() {
        if (!isNotBegun()) {
            flag(Structs.SendWr.SOLICITED);
        }
        return this;
    }

    private void flag(int bit) {
        long at = request + Structs.SendWr.FLAGS;
        Memory.putInt(at, Memory.getInt(at) | bit);
    }

    private boolean has(int bit) {
        return (Memory.getInt(request + Structs.SendWr.FLAGS) & bit) != 0;
    }

    /// Checks that are possible only when a request is complete.
    private void checkLast() {
        if (count == 0 || isFull) {
            return;
        }
        Memory.putInt(request + Structs.SendWr.NUM_SGE, pieces);
        if (pair.type() == QueuePairType.UD && !isAddressed) {
            throw DatagramRules.noDestination(pair, kind);
        }
        if (kind.isAnswered()) {
            int reads = pair.known().readsAsInitiator();
            WorkRules.requireAnswerable(pair, kind, reads, bytes, pieces);
        }
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
        try {
            pair.requireSends();
            checkLast();
            pair.enterToSend();
        } catch (RuntimeException refused) {
            giveUp();
            throw refused;
        }
        if (isFull || count == 0) {
            pair.guard.leave();
            giveUp();
            return !isFull;
        }
        isOpen = false;
        link();
        staging.clearBad();
        // Before the device can complete any of it.
        requests.commit(count);
        int reason;
        try {
            reason = binds.isEmpty() ? handOver(pair, staging, 0) : binds.handOver(count);
        } finally {
            pair.guard.leave();
            Reference.reachabilityFence(staging);
        }
        if (reason != 0) {
            int first = staging.badIndex(count);
            binds.withdraw(first, count);
            requests.takeBack(first, count);
            throw Errno.notPosted(pair.toString(), "request " + first + " of the batch", reason);
        }
        pair.nudge();
        return true;
    }

    private void link() {
        for (int i = 0; i < count; i++) {
            long at = staging.request(i);
            long list = staging.pieces(i);
            Memory.putLong(at + Structs.SendWr.NEXT, i + 1 < count ? staging.request(i + 1) : 0);
            Memory.putLong(at + Structs.SendWr.SG_LIST, list);
            Memory.putLong(at + Structs.SendWr.ID, requests.renumbered(at + Structs.SendWr.ID));
            signal(at);
            if ((Memory.getInt(at + Structs.SendWr.FLAGS) & Structs.SendWr.INLINE) != 0) {
                Memory.putLong(list + Structs.Sge.ADDRESS, staging.inline(i));
            }
        }
    }

    /// A device reports unsignaled requests only with a signaled one after them: a program that
    /// signals none would fill the queue permanently. So one request in each half of a queue is
    /// signaled, and only this provider reads its completion.
    private void signal(long at) {
        int flags = Memory.getInt(at + Structs.SendWr.FLAGS);
        unsignaled++;
        if ((flags & Structs.SendWr.SIGNALED) != 0 || pair.isSignalAll()) {
            unsignaled = 0;
        } else if (2 * unsignaled >= requests.depth()) {
            unsignaled = 0;
            Memory.putInt(at + Structs.SendWr.FLAGS, flags | Structs.SendWr.SIGNALED);
            long number = Memory.getLong(at + Structs.SendWr.ID);
            Memory.putLong(at + Structs.SendWr.ID, Requests.silent(number));
        }
    }

    /// Hands over the chain that begins with this request.
    static int handOver(IbvQueuePair pair, Staging staging, int first) {
        return pair.context()
                .fast
                .postSend(pair.structure(), staging.request(first), staging.bad());
    }

    @Override
    public void abort() {
        requireOpen();
        giveUp();
        filler.end();
    }

    private boolean isNotBegun() {
        requireOpen();
        if (count == 0 && !isFull) {
            throw WorkRules.nothingBegun(pair);
        }
        return isFull;
    }

    private void requireOpen() {
        filler.require(pair);
        if (!isOpen) {
            throw WorkRules.batchEnded();
        }
    }
}
