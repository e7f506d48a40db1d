package dev.verbena.verbs;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;

/// Work requests on their way into a send queue.
///
/// Each method of the first group begins a request; those of the second say more about the one
/// begun last; [#post] hands all of them over at once. Nothing is allocated by any method that
/// takes primitives.
///
/// ```
/// pair.sends().write(address, key).local(region, 0, 4096).id(7).signaled().post();
/// pair.post(batch -> batch.write(region.slice(0, 4096), peer.slice(0, 4096)).id(7).signaled());
/// ```
public interface SendBatch {
    /// What an atomic works on, no more and no less.
    int ATOMIC_BYTES = 8;

    /// Begins a message into the peer's next receive request.
    SendBatch send();

    /// Begins a SEND that also carries 32 bits for the peer's completion: an int, which travels
    /// big-endian, so that [Completion#immediate] shows the same number on any machine.
    SendBatch sendImmediate(int immediate);

    /// Begins a SEND that also takes one of the peer's remote keys out of force.
    SendBatch sendInvalidate(int remoteKey);

    /// Begins a write into the peer's memory, of which the peer's program hears nothing.
    SendBatch write(long remoteAddress, int remoteKey);

    /// Begins a write whose end uses up a receive request of the peer's and carries 32 bits, as
    /// those of [#sendImmediate(int)].
    SendBatch writeImmediate(long remoteAddress, int remoteKey, int immediate);

    /// Begins a read of the peer's memory into ours.
    SendBatch read(long remoteAddress, int remoteKey);

    /// Begins an atomic: when the peer's eight bytes equal `expected`, they become `replacement`.
    /// What they were before goes into the eight bytes of [#local].
    SendBatch compareAndSwap(long remoteAddress, int remoteKey, long expected, long replacement);

    /// Begins an atomic: adds to the peer's eight bytes. What they were before goes into the eight
    /// bytes of [#local].
    SendBatch fetchAndAdd(long remoteAddress, int remoteKey, long addend);

    /// Begins the end of a remote key of our own, which takes effect after all requests before it
    /// and before all behind it.
    SendBatch localInvalidate(int remoteKey);

    /// Begins the binding of a window to bytes of a region, which takes effect after all requests
    /// before it and before all behind it: from then on the window's new [MemoryWindow#remoteKey]
    /// opens them, by the region's own addresses. A window of type 1 may be bound already, and to 0
    /// bytes, which only ends its old key; one of type 2 may not.
    ///
    /// @param rights of [Access#REMOTE_READ], [Access#REMOTE_WRITE], [Access#REMOTE_ATOMIC]
    /// @throws InvalidRequestException when the region lacks [Access#WINDOW_BIND], or the right to
    ///   be written where the window gives one to write; when window or region are of another
    ///   domain, the range is not inside, or the queue pair is one of datagrams
    SendBatch bind(
            MemoryWindow window, MemoryRegion region, long offset, long length, Set<Access> rights);

    /// Says where a datagram goes; only datagrams need it, and each of them does.
    ///
    /// @param way of the queue pair's domain
    /// @param queuePair the peer's number, or [QueuePair#MULTICAST_NUMBER]
    /// @param queueKey what it must show; with the highest bit set, our own queue key is shown
    SendBatch to(AddressHandle way, int queuePair, int queueKey);

    /// Adds a piece of our memory: the bytes to send, or the place for the answer.
    ///
    /// @throws InvalidRequestException when the region is of another domain, has no such bytes, or
    ///   may not be written by the device where the request needs that
    SendBatch local(MemoryRegion region, long offset, long length);

    /// Adds bytes that are copied now, so that the caller may change them at once. For SEND and
    /// WRITE; at most [DeviceLimits#inlineBytes] per request.
    SendBatch inline(MemorySegment bytes, long offset, long length);

    /// What the completion shall be called; 0 unless set.
    SendBatch id(long id);

    /// Wants a completion also when it succeeds.
    SendBatch signaled();

    /// Waits for all READs and atomics before it (IBA 10.8.3.3).
    SendBatch fence();

    /// Marks the peer's completion as one that its program waits for.
    SendBatch solicited();

    /// Posts the batch: all of it, or nothing and `false` when the queue has no room for all.
    /// Either way the batch is over: after `false`, poll for completions and fill a new one.
    ///
    /// @throws WrongStateException when the queue pair is not ready to send
    boolean post();

    /// Gives the batch up.
    void abort();

    /// A message from one piece of memory.
    default SendBatch send(LocalSlice from) {
        return send().local(from);
    }

    /// A message from one piece of memory, and 32 bits for the peer's completion.
    default SendBatch sendImmediate(LocalSlice from, int immediate) {
        return sendImmediate(immediate).local(from);
    }

    /// A message from one piece of memory that takes one of the peer's remote keys out of force.
    default SendBatch sendInvalidate(LocalSlice from, int remoteKey) {
        return sendInvalidate(remoteKey).local(from);
    }

    /// A write of one piece of memory to another of the same length.
    default SendBatch write(LocalSlice from, RemoteSlice to) {
        requireSameLength(from, to);
        return write(to.address(), to.key()).local(from);
    }

    /// A write with immediate of one piece of memory to another of the same length.
    default SendBatch writeImmediate(LocalSlice from, RemoteSlice to, int immediate) {
        requireSameLength(from, to);
        return writeImmediate(to.address(), to.key(), immediate).local(from);
    }

    /// A read of one piece of memory into another of the same length.
    default SendBatch read(LocalSlice into, RemoteSlice from) {
        requireSameLength(into, from);
        return read(from.address(), from.key()).local(into);
    }

    /// An atomic: when the peer's eight bytes equal `expected`, they become `replacement`. What
    /// they were before goes into the eight bytes of `result`.
    default SendBatch compareAndSwap(
            LocalSlice result, RemoteSlice target, long expected, long replacement) {
        requireEight(result, target);
        return compareAndSwap(target.address(), target.key(), expected, replacement).local(result);
    }

    /// An atomic: adds to the peer's eight bytes. What they were before goes into the eight bytes
    /// of `result`.
    default SendBatch fetchAndAdd(LocalSlice result, RemoteSlice target, long addend) {
        requireEight(result, target);
        return fetchAndAdd(target.address(), target.key(), addend).local(result);
    }

    /// Says that a datagram goes to a peer by an address handle.
    default SendBatch to(AddressHandle way, Endpoint peer) {
        return to(way, peer.queuePair(), peer.queueKey());
    }

    /// The binding of a window to a piece of a region.
    default SendBatch bind(MemoryWindow window, LocalSlice slice, Access... rights) {
        return bind(
                window,
                slice.region(),
                slice.offset(),
                slice.length(),
                Set.copyOf(List.of(rights)));
    }

    /// Adds a piece of our memory.
    default SendBatch local(LocalSlice slice) {
        return local(slice.region(), slice.offset(), slice.length());
    }

    private static void requireEight(LocalSlice result, RemoteSlice target) {
        if (result.length() != ATOMIC_BYTES || target.length() != ATOMIC_BYTES) {
            throw new InvalidRequestException(
                    result.region().toString(),
                    "an atomic on %d bytes here and %d at the peer"
                            .formatted(result.length(), target.length()),
                    "slice both to " + ATOMIC_BYTES);
        }
    }

    private static void requireSameLength(LocalSlice local, RemoteSlice remote) {
        if (local.length() != remote.length()) {
            throw new InvalidRequestException(
                    local.region().toString(),
                    "%d bytes here and %d at the peer".formatted(local.length(), remote.length()),
                    "slice both to the same length");
        }
    }
}
