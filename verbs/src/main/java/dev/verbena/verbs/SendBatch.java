package dev.verbena.verbs;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;

/// Work requests that are being added to a send queue.
///
/// Each method of the first group begins a request; the methods of the second group set details of
/// the request that was begun last; [#post] posts all requests at once. Methods that take only
/// primitives do not allocate.
///
/// ```
/// pair.sends().write(address, key).local(region, 0, 4096).id(7).signaled().post();
/// pair.post(batch -> batch.write(region.slice(0, 4096), peer.slice(0, 4096)).id(7).signaled());
/// ```
public interface SendBatch {
    /// The number of bytes that an atomic operation works on.
    int ATOMIC_BYTES = 8;

    /// Begins a SEND: a message into the next receive request of the peer.
    SendBatch send();

    /// Begins a SEND that also carries 32 bits for the peer's completion. The value is big-endian
    /// on the wire, so [Completion#immediate] returns the same number on any machine.
    SendBatch sendImmediate(int immediate);

    /// Begins a SEND that also invalidates one of the peer's remote keys.
    SendBatch sendInvalidate(int remoteKey);

    /// Begins a WRITE into the peer's memory. The peer's program gets no completion for it.
    SendBatch write(long remoteAddress, int remoteKey);

    /// Begins a WRITE that uses up a receive request of the peer at its end and carries 32 bits, as
    /// in [#sendImmediate(int)].
    SendBatch writeImmediate(long remoteAddress, int remoteKey, int immediate);

    /// Begins a READ of the peer's memory into local memory.
    SendBatch read(long remoteAddress, int remoteKey);

    /// Begins an atomic compare and swap: when the peer's eight bytes equal `expected`, they become
    /// `replacement`. The previous value is stored in the eight bytes of [#local].
    SendBatch compareAndSwap(long remoteAddress, int remoteKey, long expected, long replacement);

    /// Begins an atomic addition to the peer's eight bytes. The previous value is stored in the
    /// eight bytes of [#local].
    SendBatch fetchAndAdd(long remoteAddress, int remoteKey, long addend);

    /// Begins the invalidation of a local remote key. It takes effect after all earlier requests
    /// and before all later ones.
    SendBatch localInvalidate(int remoteKey);

    /// Begins the binding of a window to bytes of a region. It takes effect after all earlier
    /// requests and before all later ones. From then on, the window's new [MemoryWindow#remoteKey]
    /// gives access to these bytes, at the addresses of the region. A window of type 1 may already
    /// be bound; binding it to 0 bytes only ends its old key. A window of type 2 must not be bound.
    ///
    /// @param rights of [Access#REMOTE_READ], [Access#REMOTE_WRITE], [Access#REMOTE_ATOMIC]
    /// @throws InvalidRequestException when the region lacks [Access#WINDOW_BIND], or lacks the
    ///   write right that the window grants; when the window or the region belongs to another
    ///   domain, the range is not inside the region, or the queue pair has type UD
    SendBatch bind(
            MemoryWindow window, MemoryRegion region, long offset, long length, Set<Access> rights);

    /// Sets the destination of a datagram. Every datagram needs it; no other request does.
    ///
    /// @param way address handle from the domain of the queue pair
    /// @param queuePair the peer's number, or [QueuePair#MULTICAST_NUMBER]
    /// @param queueKey the queue key that the datagram carries; if the highest bit is set, it
    ///   carries the key of the local queue pair
    SendBatch to(AddressHandle way, int queuePair, int queueKey);

    /// Adds a piece of local memory: the bytes to send, or the space for the result.
    ///
    /// @throws InvalidRequestException when the region belongs to another domain, does not contain
    ///   these bytes, or may not be written by the device although the request needs that
    SendBatch local(MemoryRegion region, long offset, long length);

    /// Adds bytes that are copied during this call, so the caller may change them afterwards. For
    /// SEND and WRITE; at most [DeviceLimits#inlineBytes] per request.
    SendBatch inline(MemorySegment bytes, long offset, long length);

    /// Sets the identifier of the completion; 0 by default.
    SendBatch id(long id);

    /// Requests a completion also for success.
    SendBatch signaled();

    /// Delays the request until all earlier READs and atomics are complete (IBA 10.8.3.3).
    SendBatch fence();

    /// Marks the peer's completion as solicited: it wakes a program that waits for solicited
    /// completions.
    SendBatch solicited();

    /// Posts the batch: all requests, or none and `false` when the queue has no room for all. The
    /// batch ends in both cases: after `false`, poll for completions and fill a new one.
    ///
    /// @throws WrongStateException when the queue pair is not ready to send
    boolean post();

    /// Cancels the batch.
    void abort();

    /// Begins a SEND of one piece of memory.
    default SendBatch send(LocalSlice from) {
        return send().local(from);
    }

    /// Begins a SEND of one piece of memory, with 32 bits for the peer's completion.
    default SendBatch sendImmediate(LocalSlice from, int immediate) {
        return sendImmediate(immediate).local(from);
    }

    /// Begins a SEND of one piece of memory that also invalidates one of the peer's remote keys.
    default SendBatch sendInvalidate(LocalSlice from, int remoteKey) {
        return sendInvalidate(remoteKey).local(from);
    }

    /// Begins a WRITE of one piece of memory to another of the same length.
    default SendBatch write(LocalSlice from, RemoteSlice to) {
        requireSameLength(from, to);
        return write(to.address(), to.key()).local(from);
    }

    /// Begins a WRITE with immediate of one piece of memory to another of the same length.
    default SendBatch writeImmediate(LocalSlice from, RemoteSlice to, int immediate) {
        requireSameLength(from, to);
        return writeImmediate(to.address(), to.key(), immediate).local(from);
    }

    /// Begins a READ of one piece of memory into another of the same length.
    default SendBatch read(LocalSlice into, RemoteSlice from) {
        requireSameLength(into, from);
        return read(from.address(), from.key()).local(into);
    }

    /// Begins an atomic compare and swap: when the peer's eight bytes equal `expected`, they become
    /// `replacement`. The previous value is stored in the eight bytes of `result`.
    default SendBatch compareAndSwap(
            LocalSlice result, RemoteSlice target, long expected, long replacement) {
        requireEight(result, target);
        return compareAndSwap(target.address(), target.key(), expected, replacement).local(result);
    }

    /// Begins an atomic addition to the peer's eight bytes. The previous value is stored in the
    /// eight bytes of `result`.
    default SendBatch fetchAndAdd(LocalSlice result, RemoteSlice target, long addend) {
        requireEight(result, target);
        return fetchAndAdd(target.address(), target.key(), addend).local(result);
    }

    /// Sets the destination of a datagram: a peer, through an address handle.
    default SendBatch to(AddressHandle way, Endpoint peer) {
        return to(way, peer.queuePair(), peer.queueKey());
    }

    /// Begins the binding of a window to a part of a region.
    default SendBatch bind(MemoryWindow window, LocalSlice slice, Access... rights) {
        return bind(
                window,
                slice.region(),
                slice.offset(),
                slice.length(),
                Set.copyOf(List.of(rights)));
    }

    /// Adds a piece of local memory.
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
