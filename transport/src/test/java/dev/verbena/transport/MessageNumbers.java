package dev.verbena.transport;

import dev.verbena.transport.reliable.Requester;
import dev.verbena.transport.reliable.Responder;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// Lets the two sides of a connection count messages from another number than 0, so that a short
/// run sees it wrap.
final class MessageNumbers {
    private static final VarHandle POSTED = field(Requester.class, "postedSequence");
    private static final VarHandle CREDITS = field(Requester.class, "creditLimit");
    private static final VarHandle CARRIED_OUT = field(Responder.class, "msn");

    private MessageNumbers() {}

    /// What one side sends, and the other carries out, is counted from this number on.
    static void start(RcEndpoint from, RcEndpoint to, int number) {
        TransportQueuePair sending = (TransportQueuePair) from.queuePair;
        TransportQueuePair receiving = (TransportQueuePair) to.queuePair;
        POSTED.set((Requester) sending.sender(), number);
        CREDITS.set((Requester) sending.sender(), number);
        CARRIED_OUT.set((Responder) receiving.receiver(), number);
    }

    private static VarHandle field(Class<?> type, String name) {
        try {
            return MethodHandles.privateLookupIn(type, MethodHandles.lookup())
                    .findVarHandle(type, name, int.class);
        } catch (ReflectiveOperationException gone) {
            throw new LinkageError(gone.getMessage(), gone);
        }
    }
}
