package dev.verbena.verbs;

import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/// A set of queue pairs and memory that may be used together: a key of one domain opens nothing in
/// another (IBA 10.2.3).
///
/// Closed before what is in it, it lives on until the last of that is closed.
public interface ProtectionDomain extends AutoCloseable {
    Device device();

    /// Native memory of our own, zeroed and aligned to a page. The first choice: it is freed only
    /// when no work is in flight on it.
    ///
    /// @throws LimitExceededException when the device has no room for another region
    MemoryRegion allocate(long bytes, Access... rights);

    /// Registers memory of the caller's: a native segment whose scope is global, automatic or
    /// shared. When the scope is closed while work is in flight, that work fails with
    /// [CompletionStatus#LOCAL_PROTECTION_ERROR]; nothing is corrupted.
    ///
    /// @throws InvalidRequestException for heap segments and for confined or closed scopes
    MemoryRegion register(MemorySegment segment, Access... rights);

    /// A region that has a length and no memory: its bytes travel as a number only. For simulated
    /// fabrics, where a gigabyte then costs nothing; refused elsewhere.
    MemoryRegion phantom(long bytes, Access... rights);

    /// Registers memory of another device's, a GPU's say, by the file that its driver has exported
    /// it as (Linux' dma-buf). The program cannot touch it by us: [MemoryRegion#segment] refuses.
    /// The file may be closed behind it.
    ///
    /// @param file its number in this process
    /// @param offset of the first byte in it
    /// @throws UnsupportedException when the device cannot reach such memory
    default MemoryRegion registerDmaBuf(int file, long offset, long bytes, Access... rights) {
        throw new UnsupportedException(
                toString(),
                "only a NIC reaches memory of other devices",
                "open one with ibverbs://DEVICE");
    }

    /// A window, to be bound to parts of regions.
    ///
    /// @throws UnsupportedException when the device does not have the type
    /// @throws LimitExceededException when the device has no room for another
    MemoryWindow window(WindowType type);

    /// A shared receive queue for at least this many requests.
    ///
    /// @throws LimitExceededException when the device has no room for another
    SharedReceiveQueue sharedReceiveQueue(int depth);

    /// A way to peers, for datagrams.
    ///
    /// @throws InvalidRequestException when the address leads nowhere
    /// @throws LimitExceededException when the device has no room for another
    AddressHandle addressHandle(Address address);

    /// A queue pair, in state [QueuePairState#INIT] unless the options say otherwise, so that
    /// receives can be posted before it is connected.
    QueuePair queuePair(QueuePairType type, Consumer<QueuePairOptions> options);

    @Override
    void close();
}
