package dev.verbena.verbs;

/// Something that happened outside of any work request (IBA 11.6.3).
///
/// @param subject the number of the queue pair, the completion queue, the shared receive queue or
///   the port, or 0: the type says which
/// @param explanation one sentence for a log
public record AsyncEvent(Type type, int subject, String explanation) {
    /// Kinds of events; codes are those of libibverbs' `ibv_event_type`.
    public enum Type {
        /// The completion queue of this number ran over.
        COMPLETION_QUEUE_ERROR(0),
        /// A queue pair failed and could not say so with a completion.
        QUEUE_PAIR_FATAL(1),
        /// The peer sent a request that makes no sense; the queue pair failed.
        QUEUE_PAIR_REQUEST_ERROR(2),
        /// The peer asked for memory that it may not touch; the queue pair failed.
        QUEUE_PAIR_ACCESS_ERROR(3),
        /// The first packet came before the queue pair was told to send.
        COMMUNICATION_ESTABLISHED(4),
        /// All work that had been started before draining is done.
        SEND_QUEUE_DRAINED(5),
        /// The device failed as a whole; nothing of it can be used any more.
        DEVICE_FATAL(8),
        PORT_ACTIVE(9),
        PORT_ERROR(10),
        LID_CHANGE(11),
        PARTITION_KEY_CHANGE(12),
        /// Another subnet manager looks after the port.
        SUBNET_MANAGER_CHANGE(13),
        /// A shared receive queue failed.
        SHARED_RECEIVE_QUEUE_ERROR(14),
        /// A shared receive queue fell under its limit.
        SHARED_RECEIVE_LIMIT(15),
        /// A failed queue pair took its last request from a shared receive queue.
        LAST_WORK_REQUEST(16),
        /// The subnet manager wants to be told anew of multicast groups, services and
        /// subscriptions.
        CLIENT_REREGISTER(17),
        GID_CHANGE(18);

        private final int code;

        Type(int code) {
            this.code = code;
        }

        public int code() {
            return code;
        }
    }
}
