package dev.verbena.verbs;

/// Receive requests on their way into a receive queue.
public interface ReceiveBatch {
    /// Begins a request: room for one message of the peer's, or for one WRITE with immediate. Of
    /// unreliable services, a message that is longer than the oldest request is dropped, and the
    /// request stays: make all of them as long as the longest message, for datagrams with the
    /// [DatagramHeader].
    ReceiveBatch receive();

    /// Adds a piece of our memory for the message.
    ///
    /// @throws InvalidRequestException when the region is of another domain, has no such bytes, or
    ///   may not be written by the device
    ReceiveBatch local(MemoryRegion region, long offset, long length);

    /// What the completion shall be called; 0 unless set.
    ReceiveBatch id(long id);

    /// Posts the batch: all of it, or nothing and `false` when the queue has no room for all.
    /// Either way the batch is over: after `false`, poll for completions and fill a new one.
    ///
    /// @throws WrongStateException when the queue pair is in [QueuePairState#RESET]
    boolean post();

    /// Gives the batch up.
    void abort();

    /// A request with one piece of memory.
    default ReceiveBatch receive(LocalSlice into) {
        return receive().local(into);
    }

    /// Adds a piece of our memory for the message.
    default ReceiveBatch local(LocalSlice slice) {
        return local(slice.region(), slice.offset(), slice.length());
    }
}
