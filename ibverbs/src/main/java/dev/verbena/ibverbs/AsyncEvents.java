package dev.verbena.ibverbs;

import dev.verbena.verbs.AsyncEvent;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Asynchronous events of a device: fetched when the program polls, with the numbers of this API.
final class AsyncEvents {
    private final IbvDevice device;
    private final IbvContext context;
    private final EventQueue queue = new EventQueue();
    private final MemorySegment event =
            Arena.ofAuto().allocate(Structs.Event.SIZE, Structs.POINTER);

    AsyncEvents(IbvDevice device) {
        this.device = device;
        this.context = device.context;
        Posix.unblock(Memory.getInt(context.address + Structs.Context.ASYNC_FD));
    }

    /// One that the device does not raise.
    void add(AsyncEvent.Type type, int subject, String explanation) {
        queue.add(type, subject, explanation);
    }

    @Nullable AsyncEvent poll() {
        fetch();
        return queue.poll();
    }

    /// Fetches the events from the kernel. Each is acknowledged at once: the library does not
    /// destroy an object with an unacknowledged event.
    void fetch() {
        context.lock.lock();
        try {
            if (device.isClosed()) {
                return;
            }
            long at = event.address();
            while (context.verbs.asyncEvent(context.address, at) == 0) {
                take(at);
                context.verbs.acknowledge(at);
            }
        } finally {
            context.lock.unlock();
        }
    }

    private void take(long at) {
        AsyncEvent.Type type = type(Memory.getInt(at + Structs.Event.TYPE));
        if (type == null) {
            return;
        }
        long element = Memory.getLong(at + Structs.Event.ELEMENT);
        switch (type) {
            case COMPLETION_QUEUE_ERROR -> {
                int number = (int) Memory.getLong(element + Structs.Cq.CQ_CONTEXT);
                queue.add(type, number, "cq " + number + " ran over");
            }
            case QUEUE_PAIR_FATAL,
                    QUEUE_PAIR_REQUEST_ERROR,
                    QUEUE_PAIR_ACCESS_ERROR,
                    COMMUNICATION_ESTABLISHED,
                    SEND_QUEUE_DRAINED,
                    LAST_WORK_REQUEST -> {
                int number = Memory.getInt(element + Structs.Qp.NUMBER);
                queue.add(type, number, "qp 0x%x: %s".formatted(number, words(type)));
            }
            case SHARED_RECEIVE_QUEUE_ERROR, SHARED_RECEIVE_LIMIT -> {
                int number = (int) Memory.getLong(element + Structs.Srq.SRQ_CONTEXT);
                queue.add(type, number, "srq " + number + ": " + words(type));
            }
            case DEVICE_FATAL -> queue.add(type, 0, device.name() + " failed as a whole");
            default -> queue.add(type, 1, device.name() + ": " + words(type));
        }
    }

    private static String words(AsyncEvent.Type type) {
        return type.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static AsyncEvent.@Nullable Type type(int code) {
        for (AsyncEvent.Type type : AsyncEvent.Type.values()) {
            if (type.code() == code) {
                return type;
            }
        }
        return null;
    }
}
