package dev.verbena.verbs;

/// The limits of a device. A program can read each limit before it reaches it.
///
/// @param queuePairs queue pairs on the device
/// @param completionQueues completion queues on the device
/// @param memoryRegions memory regions on the device
/// @param memoryWindows memory windows on the device
/// @param sharedReceiveQueues shared receive queues on the device
/// @param addressHandles address handles on the device
/// @param multicastGroups multicast groups that queue pairs of the device are attached to
/// @param multicastAttachments queue pairs attached to one group
/// @param workRequests work requests posted and not yet completed, per queue
/// @param workRequestsInAll the same over all queues of the device
/// @param scatterGather pieces of memory per work request
/// @param inlineBytes bytes that a work request can carry inline
/// @param completions entries of one completion queue
/// @param readsAsInitiator READs and atomics in flight from one queue pair
/// @param readsAsResponder READs and atomics that one queue pair answers at a time
/// @param regionBytes bytes of one memory region
/// @param messageBytes bytes of one message
/// @param pendingEvents asynchronous events kept until they are polled; beyond this number the
///   oldest is dropped
public record DeviceLimits(
        int queuePairs,
        int completionQueues,
        int memoryRegions,
        int memoryWindows,
        int sharedReceiveQueues,
        int addressHandles,
        int multicastGroups,
        int multicastAttachments,
        int workRequests,
        int workRequestsInAll,
        int scatterGather,
        int inlineBytes,
        int completions,
        int readsAsInitiator,
        int readsAsResponder,
        long regionBytes,
        long messageBytes,
        int pendingEvents) {}
