package dev.verbena.verbs;

/// Receive requests that are being added to a receive queue.
public interface ReceiveBatch {
    /// Begins a request: space for one message of the peer, or for one WRITE with immediate. With
    /// unreliable services, a message that is longer than the oldest request is dropped, and the
    /// request stays posted. Make all requests as long as the longest message; for datagrams, add
    /// the [DatagramHeader].
    ReceiveBatch receive();

    /// Adds a piece of local memory for the message.
    ///
    /// @throws InvalidRequestException when the region belongs to another domain, does not contain
    ///   these bytes, or may not be written by the device
    ReceiveBatch local(MemoryRegion region, long offset, long length);

    /// Sets the identifier of the completion; 0 by default.
    ReceiveBatch id(long id);

    /// Posts the batch: all requests, or none and `false` when the queue has no room for all. The
    /// batch ends in both cases: after `false`, poll for completions and fill a new one.
    ///
    /// @throws WrongStateException when the queue pair is in [QueuePairState#RESET]
    boolean post();

    /// Cancels the batch.
    void abort();

    /// Adds a request with one piece of memory.
    default ReceiveBatch receive(LocalSlice into) {
        return receive().local(into);
    }

    /// Adds a piece of local memory for the message.
    default ReceiveBatch local(LocalSlice slice) {
        return local(slice.region(), slice.offset(), slice.length());
    }
}
