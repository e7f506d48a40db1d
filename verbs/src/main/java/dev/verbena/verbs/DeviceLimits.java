package dev.verbena.verbs;

import java.util.Map;

/// The limits of a device. A program can read each limit before it reaches it.
///
/// A provider fills them in by name, with [#builder()] or [#toBuilder()]. Two objects with the same
/// limits are equal.
public final class DeviceLimits {
    private final int queuePairs;
    private final int completionQueues;
    private final int memoryRegions;
    private final int memoryWindows;
    private final int sharedReceiveQueues;
    private final int addressHandles;
    private final int multicastGroups;
    private final int multicastAttachments;
    private final int workRequests;
    private final int workRequestsInAll;
    private final int scatterGather;
    private final int inlineBytes;
    private final int completions;
    private final int readsAsInitiator;
    private final int readsAsResponder;
    private final long regionBytes;
    private final long messageBytes;
    private final int pendingEvents;

    /// The builder has checked the values.
    DeviceLimits(DeviceLimitsBuilder from) {
        queuePairs = from.queuePairs;
        completionQueues = from.completionQueues;
        memoryRegions = from.memoryRegions;
        memoryWindows = from.memoryWindows;
        sharedReceiveQueues = from.sharedReceiveQueues;
        addressHandles = from.addressHandles;
        multicastGroups = from.multicastGroups;
        multicastAttachments = from.multicastAttachments;
        workRequests = from.workRequests;
        workRequestsInAll = from.workRequestsInAll;
        scatterGather = from.scatterGather;
        inlineBytes = from.inlineBytes;
        completions = from.completions;
        readsAsInitiator = from.readsAsInitiator;
        readsAsResponder = from.readsAsResponder;
        regionBytes = from.regionBytes;
        messageBytes = from.messageBytes;
        pendingEvents = from.pendingEvents;
    }

    /// A builder without any limit; it builds once each is set.
    public static DeviceLimitsBuilder builder() {
        return new DeviceLimitsBuilder();
    }

    /// A builder with these limits, to change some of them.
    public DeviceLimitsBuilder toBuilder() {
        return builder()
                .queuePairs(queuePairs)
                .completionQueues(completionQueues)
                .memoryRegions(memoryRegions)
                .memoryWindows(memoryWindows)
                .sharedReceiveQueues(sharedReceiveQueues)
                .addressHandles(addressHandles)
                .multicastGroups(multicastGroups)
                .multicastAttachments(multicastAttachments)
                .workRequests(workRequests)
                .workRequestsInAll(workRequestsInAll)
                .scatterGather(scatterGather)
                .inlineBytes(inlineBytes)
                .completions(completions)
                .readsAsInitiator(readsAsInitiator)
                .readsAsResponder(readsAsResponder)
                .regionBytes(regionBytes)
                .messageBytes(messageBytes)
                .pendingEvents(pendingEvents);
    }

    /// Queue pairs on the device.
    public int queuePairs() {
        return queuePairs;
    }

    /// Completion queues on the device.
    public int completionQueues() {
        return completionQueues;
    }

    /// Memory regions on the device.
    public int memoryRegions() {
        return memoryRegions;
    }

    /// Memory windows on the device.
    public int memoryWindows() {
        return memoryWindows;
    }

    /// Shared receive queues on the device.
    public int sharedReceiveQueues() {
        return sharedReceiveQueues;
    }

    /// Address handles on the device.
    public int addressHandles() {
        return addressHandles;
    }

    /// Multicast groups that queue pairs of the device are attached to.
    public int multicastGroups() {
        return multicastGroups;
    }

    /// Queue pairs attached to one group.
    public int multicastAttachments() {
        return multicastAttachments;
    }

    /// Work requests posted and not yet completed, per queue.
    public int workRequests() {
        return workRequests;
    }

    /// The same over all queues of the device; not fewer than those of one queue.
    public int workRequestsInAll() {
        return workRequestsInAll;
    }

    /// Pieces of memory per work request.
    public int scatterGather() {
        return scatterGather;
    }

    /// Bytes that a work request can carry inline.
    public int inlineBytes() {
        return inlineBytes;
    }

    /// Entries of one completion queue.
    public int completions() {
        return completions;
    }

    /// READs and atomics in flight from one queue pair; at most 255.
    public int readsAsInitiator() {
        return readsAsInitiator;
    }

    /// READs and atomics that one queue pair answers at a time; at most 255.
    public int readsAsResponder() {
        return readsAsResponder;
    }

    /// Bytes of one memory region.
    public long regionBytes() {
        return regionBytes;
    }

    /// Bytes of one message; at most 2^31.
    public long messageBytes() {
        return messageBytes;
    }

    /// Asynchronous events kept until they are polled; beyond this number the oldest is dropped.
    public int pendingEvents() {
        return pendingEvents;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DeviceLimits limits && byName().equals(limits.byName());
    }

    @Override
    public int hashCode() {
        return byName().hashCode();
    }

    @Override
    public String toString() {
        return "device limits " + byName();
    }

    private Map<String, Long> byName() {
        return toBuilder().byName();
    }
}
