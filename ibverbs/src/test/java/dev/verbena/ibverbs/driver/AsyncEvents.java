package dev.verbena.ibverbs.driver;

import dev.verbena.verbs.AsyncEvent;
import org.jspecify.annotations.Nullable;

/// Asynchronous events of the transport, handed to the contexts whose objects they are about.
final class AsyncEvents {
    /// Events above this number are the transport's own.
    private static final int MOST = 18;

    private AsyncEvents() {}

    static void forward(DriverDevice device) {
        AsyncEvent event;
        while ((event = device.transport.pollEvent()) != null) {
            if (event.type().code() <= MOST) {
                forward(device, event);
            }
        }
    }

    private static void forward(DriverDevice device, AsyncEvent event) {
        for (DriverObject object : device.driver.objects.values()) {
            DriverContext context = receiver(object, device, event);
            if (context != null) {
                context.events.add(new DriverContext.Event(object, event.type().code()));
                return;
            }
        }
    }

    /// The context to tell, when the event is about this object.
    private static @Nullable DriverContext receiver(
            DriverObject object, DriverDevice device, AsyncEvent event) {
        DriverContext context =
                switch (object) {
                    case DriverQueue queue
                            when event.type() == AsyncEvent.Type.COMPLETION_QUEUE_ERROR
                                    && queue.number() == event.subject() ->
                            queue.context;
                    case DriverShared shared
                            when isShared(event) && shared.queue.number() == event.subject() ->
                            shared.domain.context;
                    case DriverPair pair
                            when isPair(event) && pair.pair.number() == event.subject() ->
                            pair.domain.context;
                    default -> null;
                };
        return context == null || !context.device.equals(device) ? null : context;
    }

    private static boolean isShared(AsyncEvent event) {
        return switch (event.type()) {
            case SHARED_RECEIVE_QUEUE_ERROR, SHARED_RECEIVE_LIMIT -> true;
            default -> false;
        };
    }

    private static boolean isPair(AsyncEvent event) {
        return switch (event.type()) {
            case QUEUE_PAIR_FATAL,
                    QUEUE_PAIR_REQUEST_ERROR,
                    QUEUE_PAIR_ACCESS_ERROR,
                    COMMUNICATION_ESTABLISHED,
                    SEND_QUEUE_DRAINED,
                    LAST_WORK_REQUEST ->
                    true;
            default -> false;
        };
    }
}
