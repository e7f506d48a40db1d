package dev.verbena.verbs;

/// An event that does not belong to a work request (IBA 11.6.3).
///
/// @param subject number of the queue pair, completion queue, shared receive queue or port, or 0;
///   the type says which
/// @param explanation one sentence for a log
public record AsyncEvent(Type type, int subject, String explanation) {
    /// Kinds of events; codes are those of libibverbs' `ibv_event_type`.
    public enum Type {
        /// The completion queue with this number has overflowed.
        COMPLETION_QUEUE_ERROR(0),
        /// A queue pair failed and could not report the failure as a completion.
        QUEUE_PAIR_FATAL(1),
        /// The peer sent an invalid request; the queue pair failed.
        QUEUE_PAIR_REQUEST_ERROR(2),
        /// The peer requested access to memory without the right to it; the queue pair failed.
        QUEUE_PAIR_ACCESS_ERROR(3),
        /// The first packet arrived before the queue pair entered the state READY_TO_SEND.
        COMMUNICATION_ESTABLISHED(4),
        /// All work that was started before draining is complete.
        SEND_QUEUE_DRAINED(5),
        /// The device failed; none of its objects can be used any more.
        DEVICE_FATAL(8),
        PORT_ACTIVE(9),
        PORT_ERROR(10),
        LID_CHANGE(11),
        PARTITION_KEY_CHANGE(12),
        /// The subnet manager of the port has changed.
        SUBNET_MANAGER_CHANGE(13),
        /// A shared receive queue failed.
        SHARED_RECEIVE_QUEUE_ERROR(14),
        /// The number of requests in a shared receive queue fell below its limit.
        SHARED_RECEIVE_LIMIT(15),
        /// A failed queue pair took its last request from a shared receive queue.
        LAST_WORK_REQUEST(16),
        /// The subnet manager asks the port to register its multicast groups, services and
        /// subscriptions again.
        CLIENT_REREGISTER(17),
        GID_CHANGE(18),
        /// For a second, the peer of a queue pair has had no receive posted for its send, which
        /// waits. Ours alone: libibverbs has no such event, so devices of NICs do not report it.
        RECEIVER_NOT_READY(0x100);

        private final int code;

        Type(int code) {
            this.code = code;
        }

        public int code() {
            return code;
        }
    }
}
