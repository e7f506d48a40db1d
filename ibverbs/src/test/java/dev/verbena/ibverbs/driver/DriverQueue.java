package dev.verbena.ibverbs.driver;

import dev.verbena.verbs.Completion;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Notification;
import org.jspecify.annotations.Nullable;

/// A completion queue.
final class DriverQueue extends DriverObject {
    private static final int GRH = 1;
    private static final int WITH_IMMEDIATE = 2;
    private static final int WITH_INVALIDATE = 8;

    /// The kernel's own number, which Soft-RoCE hands to programs.
    private static final int KERNEL_INVALIDATE = 4;

    final DriverContext context;
    final CompletionQueue queue;
    private final @Nullable DriverChannel channel;

    DriverQueue(DriverContext context, int entries, long title, @Nullable DriverChannel channel) {
        Refusal.unless(
                entries > 0 && entries <= context.device.transport.limits().completions(),
                Refusal.EINVAL);
        this.queue = context.device.transport.completionQueue(entries);
        super(context.driver, Layouts.CQ);
        this.context = context;
        this.channel = channel;
        context.users++;
        if (channel != null) {
            channel.users++;
            queue.onNotification(() -> channel.events.add(this));
        }
        Layouts.CQ.put(address, "context", context.address);
        Layouts.CQ.put(address, "channel", channel == null ? 0 : channel.address);
        Layouts.CQ.put(address, "cq_context", title);
        Layouts.CQ.put(address, "cqe", entries);
    }

    int number() {
        return queue.number();
    }

    long title() {
        return Layouts.CQ.get(address, "cq_context");
    }

    void arm(boolean isSolicitedOnly) {
        queue.arm(isSolicitedOnly ? Notification.SOLICITED : Notification.ANY);
    }

    /// Fetches completions; returns how many.
    int poll(int most, long to) {
        int count = 0;
        Completion completion;
        while (count < most && (completion = queue.poll()) != null) {
            Posted request = driver.posted.get(completion.id());
            long at = to + count * Layouts.WC.size();
            write(at, completion);
            Layouts.WC.put(at, "wr_id", request == null ? 0 : request.id);
            if (request != null) {
                request.finish();
                count++;
            }
        }
        return count;
    }

    private void write(long at, Completion from) {
        CStruct wc = Layouts.WC;
        int flags = from.hasGlobalHeader() ? GRH : 0;
        int extra = 0;
        if (from.hasImmediate()) {
            flags |= WITH_IMMEDIATE;
            extra = Integer.reverseBytes(from.immediate());
        } else if (from.hasInvalidatedKey()) {
            flags |= driver.isSoftRoce ? KERNEL_INVALIDATE : WITH_INVALIDATE;
            extra = driver.programKey(from.invalidatedKey());
        }
        wc.put(at, "status", from.status().code());
        wc.put(at, "opcode", from.operation().code());
        wc.put(at, "vendor_err", from.vendorError());
        wc.put(at, "byte_len", from.byteLength());
        wc.put(at, "imm_data", extra);
        wc.put(at, "qp_num", from.queuePair());
        wc.put(at, "src_qp", from.sourceQueuePair());
        wc.put(at, "wc_flags", flags);
        wc.put(at, "slid", from.sourceLid());
        wc.put(at, "sl", from.serviceLevel());
    }

    void close() {
        requireUnused();
        driver.awaitAcknowledged(this);
        if (channel != null) {
            channel.events.removeIf(this::equals);
            channel.users--;
        }
        context.events.removeIf(event -> event.element().equals(this));
        queue.close();
        context.users--;
        free();
    }
}
