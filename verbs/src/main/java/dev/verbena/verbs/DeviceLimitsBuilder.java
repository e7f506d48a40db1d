package dev.verbena.verbs;

import java.util.LinkedHashMap;
import java.util.Map;

/// Fills in [DeviceLimits] by name, because a row of eighteen numbers cannot be read.
///
/// [#build] refuses limits that are not all set. A method refuses a negative number at once; zero
/// means that the device has none.
public final class DeviceLimitsBuilder {
    private static final String WHO = "device limits";
    private static final int UNSET = -1;

    // A field of one byte carries the number of READs, between peers and to adapters.
    private static final int READS_MAX = 255;

    // IBA 9.7: no message is longer.
    private static final long MESSAGE_MAX = 1L << 31;

    int queuePairs = UNSET;
    int completionQueues = UNSET;
    int memoryRegions = UNSET;
    int memoryWindows = UNSET;
    int sharedReceiveQueues = UNSET;
    int addressHandles = UNSET;
    int multicastGroups = UNSET;
    int multicastAttachments = UNSET;
    int workRequests = UNSET;
    int workRequestsInAll = UNSET;
    int scatterGather = UNSET;
    int inlineBytes = UNSET;
    int completions = UNSET;
    int readsAsInitiator = UNSET;
    int readsAsResponder = UNSET;
    long regionBytes = UNSET;
    long messageBytes = UNSET;
    int pendingEvents = UNSET;

    DeviceLimitsBuilder() {}

    /// Queue pairs on the device.
    public DeviceLimitsBuilder queuePairs(int most) {
        Require.range(WHO, "queuePairs", most, 0, Integer.MAX_VALUE);
        queuePairs = most;
        return this;
    }

    /// Completion queues on the device.
    public DeviceLimitsBuilder completionQueues(int most) {
        Require.range(WHO, "completionQueues", most, 0, Integer.MAX_VALUE);
        completionQueues = most;
        return this;
    }

    /// Memory regions on the device.
    public DeviceLimitsBuilder memoryRegions(int most) {
        Require.range(WHO, "memoryRegions", most, 0, Integer.MAX_VALUE);
        memoryRegions = most;
        return this;
    }

    /// Memory windows on the device.
    public DeviceLimitsBuilder memoryWindows(int most) {
        Require.range(WHO, "memoryWindows", most, 0, Integer.MAX_VALUE);
        memoryWindows = most;
        return this;
    }

    /// Shared receive queues on the device.
    public DeviceLimitsBuilder sharedReceiveQueues(int most) {
        Require.range(WHO, "sharedReceiveQueues", most, 0, Integer.MAX_VALUE);
        sharedReceiveQueues = most;
        return this;
    }

    /// Address handles on the device.
    public DeviceLimitsBuilder addressHandles(int most) {
        Require.range(WHO, "addressHandles", most, 0, Integer.MAX_VALUE);
        addressHandles = most;
        return this;
    }

    /// Multicast groups that queue pairs of the device are attached to.
    public DeviceLimitsBuilder multicastGroups(int most) {
        Require.range(WHO, "multicastGroups", most, 0, Integer.MAX_VALUE);
        multicastGroups = most;
        return this;
    }

    /// Queue pairs attached to one group.
    public DeviceLimitsBuilder multicastAttachments(int most) {
        Require.range(WHO, "multicastAttachments", most, 0, Integer.MAX_VALUE);
        multicastAttachments = most;
        return this;
    }

    /// Work requests posted and not yet completed, per queue.
    public DeviceLimitsBuilder workRequests(int most) {
        Require.range(WHO, "workRequests", most, 0, Integer.MAX_VALUE);
        workRequests = most;
        return this;
    }

    /// The same over all queues of the device; not fewer than those of one queue.
    public DeviceLimitsBuilder workRequestsInAll(int most) {
        Require.range(WHO, "workRequestsInAll", most, 0, Integer.MAX_VALUE);
        workRequestsInAll = most;
        return this;
    }

    /// Pieces of memory per work request.
    public DeviceLimitsBuilder scatterGather(int most) {
        Require.range(WHO, "scatterGather", most, 0, Integer.MAX_VALUE);
        scatterGather = most;
        return this;
    }

    /// Bytes that a work request can carry inline.
    public DeviceLimitsBuilder inlineBytes(int most) {
        Require.range(WHO, "inlineBytes", most, 0, Integer.MAX_VALUE);
        inlineBytes = most;
        return this;
    }

    /// Entries of one completion queue.
    public DeviceLimitsBuilder completions(int most) {
        Require.range(WHO, "completions", most, 0, Integer.MAX_VALUE);
        completions = most;
        return this;
    }

    /// READs and atomics in flight from one queue pair; at most 255.
    public DeviceLimitsBuilder readsAsInitiator(int most) {
        Require.range(WHO, "readsAsInitiator", most, 0, READS_MAX);
        readsAsInitiator = most;
        return this;
    }

    /// READs and atomics that one queue pair answers at a time; at most 255.
    public DeviceLimitsBuilder readsAsResponder(int most) {
        Require.range(WHO, "readsAsResponder", most, 0, READS_MAX);
        readsAsResponder = most;
        return this;
    }

    /// Bytes of one memory region.
    public DeviceLimitsBuilder regionBytes(long most) {
        Require.range(WHO, "regionBytes", most, 0, Long.MAX_VALUE);
        regionBytes = most;
        return this;
    }

    /// Bytes of one message; at most 2^31.
    public DeviceLimitsBuilder messageBytes(long most) {
        Require.range(WHO, "messageBytes", most, 0, MESSAGE_MAX);
        messageBytes = most;
        return this;
    }

    /// Asynchronous events kept until they are polled; beyond this number the oldest is dropped.
    public DeviceLimitsBuilder pendingEvents(int most) {
        Require.range(WHO, "pendingEvents", most, 0, Integer.MAX_VALUE);
        pendingEvents = most;
        return this;
    }

    /// The limits. One builder may build many.
    ///
    /// @throws InvalidRequestException when a limit is not set, or fewer work requests fit on the
    ///   device than on one queue
    public DeviceLimits build() {
        byName().forEach(DeviceLimitsBuilder::requireSet);
        Require.range(WHO, "workRequestsInAll", workRequestsInAll, workRequests, Integer.MAX_VALUE);
        return new DeviceLimits(this);
    }

    private static void requireSet(String what, long value) {
        if (value == UNSET) {
            throw new InvalidRequestException(
                    WHO, what + " is not set", "set each limit; 0 means that the device has none");
        }
    }

    Map<String, Long> byName() {
        Map<String, Long> all = new LinkedHashMap<>();
        all.put("queuePairs", (long) queuePairs);
        all.put("completionQueues", (long) completionQueues);
        all.put("memoryRegions", (long) memoryRegions);
        all.put("memoryWindows", (long) memoryWindows);
        all.put("sharedReceiveQueues", (long) sharedReceiveQueues);
        all.put("addressHandles", (long) addressHandles);
        all.put("multicastGroups", (long) multicastGroups);
        all.put("multicastAttachments", (long) multicastAttachments);
        all.put("workRequests", (long) workRequests);
        all.put("workRequestsInAll", (long) workRequestsInAll);
        all.put("scatterGather", (long) scatterGather);
        all.put("inlineBytes", (long) inlineBytes);
        all.put("completions", (long) completions);
        all.put("readsAsInitiator", (long) readsAsInitiator);
        all.put("readsAsResponder", (long) readsAsResponder);
        all.put("regionBytes", regionBytes);
        all.put("messageBytes", messageBytes);
        all.put("pendingEvents", (long) pendingEvents);
        return all;
    }
}
