package dev.verbena.samples;

import module dev.verbena.verbs;

import java.time.Duration;

/// WRITE with immediate as a notification.
///
/// The bytes go directly to their place in the peer's memory, and 32 bits tell the peer which
/// place.
final class WriteImmediate {
    private static final int SLOTS = 8;
    private static final long SLOT_BYTES = 1024;

    public static void main(String[] args) {
        try (Device left = Devices.open(args.length > 0 ? args[0] : "loopback://left");
                Device right = Devices.open(args.length > 1 ? args[1] : "loopback://right")) {
            // The writer: its memory needs no rights at all.
            ProtectionDomain here = left.protectionDomain();
            CompletionQueue written = left.completionQueue(16);
            MemoryRegion texts = here.allocate(SLOTS * SLOT_BYTES);
            QueuePair writer = here.queuePair(QueuePairType.RC, it -> it.completions(written));

            // The reader: memory that the writer may write, and its address and key for the writer.
            ProtectionDomain there = right.protectionDomain();
            CompletionQueue arrived = right.completionQueue(16);
            MemoryRegion table = there.allocate(SLOTS * SLOT_BYTES, Access.REMOTE_WRITE);
            QueuePair reader = there.queuePair(QueuePairType.RC, it -> it.completions(arrived));
            RemoteSlice target = RemoteSlice.of(table.remote().toBytes());

            // Each notification uses up a receive request, which needs no memory of its own.
            for (int i = 0; i < SLOTS; i++) {
                reader.postReceive(ReceiveBatch::receive);
            }
            writer.connect(reader.endpoint());
            reader.connect(writer.endpoint());

            // One batch for all slots; only its last request asks for a completion.
            writer.post(
                    batch -> {
                        for (int slot = 0; slot < SLOTS; slot++) {
                            texts.segment().setString(slot * SLOT_BYTES, textOf(slot));
                            LocalSlice from = texts.slice(slot * SLOT_BYTES, SLOT_BYTES);
                            RemoteSlice to = target.slice(slot * SLOT_BYTES, SLOT_BYTES);
                            batch.writeImmediate(from, to, slot);
                        }
                        batch.signaled();
                    });

            int seen = 0;
            while (seen < SLOTS) {
                int more = arrived.await(Duration.ofSeconds(1), done -> show(done, table));
                check(more > 0, "nothing within a second");
                seen += more;
            }
            written.await(Duration.ofSeconds(1), done -> check(done.isSuccess(), done.toString()));
            System.out.printf("%d notifications, all as written%n", seen);
        }
    }

    private static void show(Completion done, MemoryRegion table) {
        check(done.isSuccess(), done.explanation());
        int slot = done.immediate();
        String text = table.segment().getString(slot * SLOT_BYTES);
        check(text.equals(textOf(slot)), "slot " + slot + " holds '" + text + "'");
        System.out.printf("slot %d: %s, %d bytes%n", slot, text, done.byteLength());
    }

    private static String textOf(int slot) {
        return "text number " + slot;
    }

    private static void check(boolean isRight, String problem) {
        if (!isRight) {
            throw new IllegalStateException(problem);
        }
    }
}
