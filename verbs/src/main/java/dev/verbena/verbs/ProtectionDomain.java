package dev.verbena.verbs;

import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/// A set of queue pairs and memory regions that may be used together. A key of one domain is not
/// valid in another (IBA 10.2.3).
///
/// A domain that is closed before its objects stays in use until the last of them is closed.
public interface ProtectionDomain extends AutoCloseable {
    Device device();

    /// Allocates and registers native memory, zeroed and aligned to a page. This is the recommended
    /// way: the memory is freed only when no work is in flight on it.
    ///
    /// @throws LimitExceededException when the device has no room for another region
    MemoryRegion allocate(long bytes, Access... rights);

    /// Registers memory of the caller: a native segment with a global, automatic or shared scope.
    /// When the scope is closed while work is in flight, that work fails with
    /// [CompletionStatus#LOCAL_PROTECTION_ERROR]; no other memory changes.
    ///
    /// @throws InvalidRequestException for heap segments and for confined or closed scopes
    MemoryRegion register(MemorySegment segment, Access... rights);

    /// Registers memory of another device, for example a GPU, through the file that its driver
    /// exports (Linux dma-buf). The program cannot access this memory through Verbena:
    /// [MemoryRegion#segment] refuses. The file may be closed after this call.
    ///
    /// @param file file descriptor in this process
    /// @param offset of the first byte in the file
    /// @throws UnsupportedException when the device cannot reach such memory
    default MemoryRegion registerDmaBuf(int file, long offset, long bytes, Access... rights) {
        throw new UnsupportedException(
                toString(),
                "only a NIC can access the memory of other devices",
                "open one with ibverbs://DEVICE");
    }

    /// Creates a window that can be bound to parts of regions.
    ///
    /// @throws UnsupportedException when the device does not support the type
    /// @throws LimitExceededException when the device has no room for another
    MemoryWindow window(WindowType type);

    /// Creates a shared receive queue for at least this many requests.
    ///
    /// @throws LimitExceededException when the device has no room for another
    SharedReceiveQueue sharedReceiveQueue(int depth);

    /// Creates an address handle for datagrams to a peer.
    ///
    /// @throws InvalidRequestException when the address cannot be reached from this device
    /// @throws LimitExceededException when the device has no room for another
    AddressHandle addressHandle(Address address);

    /// Creates a queue pair. It is in state [QueuePairState#INIT] unless the options say otherwise,
    /// so that receives can be posted before it is connected.
    QueuePair queuePair(QueuePairType type, Consumer<QueuePairOptions> options);

    @Override
    void close();
}
