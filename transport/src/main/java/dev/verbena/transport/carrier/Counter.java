package dev.verbena.transport.carrier;

/// The counters of a device: traffic, and how often each rule of the transport was applied.
///
/// Titles are those of Linux' `hw_counters` (mlx5 first, then rxe) where one means the same.
public enum Counter {
    SENT_PACKETS("sent_pkts", "packets made for the carrier"),
    SENT_BYTES("sent_bytes", "their bytes, from BTH through ICRC"),
    RECEIVED_PACKETS("rcvd_pkts", "packets handed in by the carrier"),

    DROPPED_MALFORMED("rx_malformed", "not a transport packet; dropped"),
    DROPPED_CORRUPT("rx_icrc_encapsulated", "checksum wrong; dropped"),
    DROPPED_UNKNOWN_PAIR("rx_unknown_qp", "for a queue pair that is not here; dropped"),
    DROPPED_STATE("rx_wrong_qp_state", "for a queue pair that takes none now; dropped"),
    DROPPED_SERVICE("rx_wrong_service", "of another service than the queue pair's; dropped"),
    DROPPED_SOURCE("rx_wrong_source", "not from the queue pair's peer; dropped"),
    DROPPED_PARTITION("rx_pkey_mismatch", "of another partition; dropped"),
    DROPPED_PORT("rx_port_inactive", "for a port that was not active; dropped"),
    UNSENT_PORT("tx_port_inactive", "packets that a port which was not active let not pass"),

    DROPPED_QUEUE_KEY("rx_qkey_mismatch", "datagrams with a wrong queue key; dropped"),
    DROPPED_GROUP("rx_unknown_group", "to a multicast group without members here; dropped"),
    DROPPED_NO_RECEIVE("rx_no_receive", "unreliable messages without a receive request; dropped"),
    DROPPED_LENGTH("rx_too_long", "datagrams longer than MTU or receive request; dropped"),
    BROKEN_MESSAGE("rx_broken_messages", "unreliable messages with a packet missing; given up"),
    SKIPPED_PACKET("rx_skipped", "further packets of a message that was given up; dropped"),

    SENT_MANAGEMENT("mad_sent", "management datagrams sent"),
    RECEIVED_MANAGEMENT("mad_rcvd", "management datagrams taken"),
    DROPPED_MANAGEMENT("mad_dropped", "no management datagrams, or too many; dropped"),
    REFUSED_MANAGEMENT("cm_refused", "requests to connect or to resolve that were refused"),
    REPEATED_MANAGEMENT("cm_repeated", "connection messages that came again, or out of place"),
    STRAY_MANAGEMENT("cm_stray", "connection messages of nothing that is known of their sender"),

    RECEIVED_MARK("np_ecn_marked_roce_packets", "packets that came with a mark of congestion"),
    SENT_NOTICE("np_cnp_sent", "notifications of congestion sent"),
    RECEIVED_NOTICE("rp_cnp_handled", "notifications of congestion that slowed a queue pair down"),
    IGNORED_NOTICE("rp_cnp_ignored", "notifications where nothing is controlled, or can be marked"),

    RECEIVED_DATAGRAMS("rx_datagrams", "datagrams delivered"),
    RECEIVED_SENDS("rx_send_requests", "SEND messages delivered"),
    RECEIVED_WRITES("rx_write_requests", "WRITE messages carried out"),
    RECEIVED_READS("rx_read_requests", "READ requests accepted"),
    RECEIVED_ATOMICS("rx_atomic_requests", "atomics carried out"),
    INVALIDATED_BY_PEER("rx_invalidate_requests", "keys that a peer's SEND took out of force"),

    REFUSED_FORM("resp_refused_form", "requests of a form that the service does not have"),
    REFUSED_ORDER("resp_refused_order", "requests out of their place in a message"),
    REFUSED_OPERATION("resp_refused_operation", "requests that the queue pair does not allow"),
    REFUSED_READS("resp_refused_reads", "READs and atomics beyond the number answered at a time"),
    REFUSED_LENGTH("resp_refused_length", "requests whose lengths contradict each other"),
    REFUSED_ALIGNMENT("resp_refused_alignment", "atomics at an address not a multiple of 8"),
    DENIED_KEY("resp_denied_key", "requests with a key that is not in force"),
    DENIED_DOMAIN("resp_denied_domain", "requests with a key of another protection domain"),
    DENIED_RIGHT("resp_denied_right", "requests for a right that the memory does not give"),
    DENIED_BOUNDS("resp_denied_bounds", "requests that leave the memory of their key"),
    DENIED_PAIR("resp_denied_pair", "requests with a key of another queue pair's window"),
    DENIED_INVALIDATE("resp_denied_invalidate", "keys that a peer may not invalidate"),

    DUPLICATE_REQUEST("duplicate_request", "request packets seen before"),
    REPLAYED_READ("resp_replayed_read", "duplicate READs answered again from memory"),
    REPLAYED_ATOMIC("resp_replayed_atomic", "duplicate atomics answered with the stored value"),
    FORGOTTEN_DUPLICATE("resp_forgotten_duplicate", "duplicates that nothing is stored for"),
    OUT_OF_SEQUENCE("out_of_sequence", "request packets ahead of the expected one"),
    SILENT_OUT_OF_SEQUENCE("resp_silent_out_of_sequence", "those not answered: NAK sent before"),

    EARLY_PLACED("resp_early_placed", "packets of WRITEs placed before their turn"),
    EARLY_DROPPED("resp_early_dropped", "packets dropped because it was not their turn"),
    EARLY_DUPLICATE("resp_early_duplicate", "packets that were placed before already"),

    SENT_ACK("resp_acks", "acknowledgements sent"),
    SENT_SACK("resp_sacks", "those that name packets before their turn"),
    COALESCED_ACK("resp_acks_coalesced", "acknowledgements that answered several requests"),
    DELAYED_ACK("ack_deferred", "acknowledgements held back for a while"),
    SENT_READ_RESPONSE("resp_read_packets", "READ response packets sent"),
    SENT_NAK_SEQUENCE("resp_nak_sequence", "NAKs for a missing packet"),
    SENT_RNR("out_of_buffer", "NAKs for a missing receive request"),
    SENT_NAK_INVALID("resp_nak_invalid_request", "NAKs for an invalid request"),
    SENT_NAK_ACCESS("resp_remote_access_errors", "NAKs for forbidden memory"),
    SENT_NAK_OPERATION("resp_nak_operation", "NAKs for a failure of this side"),
    TOO_LONG_MESSAGE("resp_local_length_error", "messages longer than their receive request"),

    RETRANSMITTED("req_retransmits", "request packets sent again"),
    ACK_TIMEOUT("local_ack_timeout_err", "waits for an acknowledgement that ran out"),
    RECEIVED_NAK_SEQUENCE("packet_seq_err", "NAKs received for a missing packet"),
    RECEIVED_SACK("rcvd_sacks", "acknowledgements received that name packets before their turn"),
    IMPLIED_NAK("implied_nak_seq_err", "answers that show an earlier one to be lost"),
    IGNORED_NAK("req_ignored_nak", "NAKs ignored because recovery was under way"),
    RECEIVED_RNR("rcvd_rnr_err", "NAKs received for a missing receive request"),
    GHOST_RESPONSE("req_ghost_responses", "answers to nothing that is outstanding; dropped"),
    FAST_FORWARDED("req_fast_forwards", "late answers that made sending again unnecessary"),
    RESTARTED_READ("req_restarted_reads", "READs sent again from their middle"),
    TAIL_PROBE("req_tail_probes", "packets sent once more to hear what is missing"),

    WINDOW_STALL("req_window_stalls", "waits for the window of unacknowledged packets"),
    DEVICE_WINDOW_STALL("req_device_window_stalls", "waits for the window of the whole device"),
    CREDIT_STALL("req_credit_stalls", "waits for end-to-end credits"),
    CREDIT_PROBE("req_credit_probes", "messages sent one beyond the credits"),
    FENCE_STALL("req_fence_stalls", "waits at a fence"),
    READ_STALL("req_read_stalls", "waits because enough READs and atomics are in flight"),
    PACE_STALL("req_pace_stalls", "waits for the rate limit"),
    DRAIN_HOLD("req_drain_holds", "requests held while the send queue drains"),

    RETRY_EXCEEDED("retry_exceeded_err", "requests that failed for want of an answer"),
    RNR_EXCEEDED("rnr_nak_retry_err", "requests that failed for want of a receive request"),
    BAD_RESPONSE("req_bad_responses", "requests that failed on an invalid response"),
    REMOTE_INVALID("req_remote_invalid_request", "requests that the peer found invalid"),
    REMOTE_ACCESS("req_remote_access_errors", "requests that the peer's memory refused"),
    REMOTE_OPERATION("req_remote_operation_errors", "requests that the peer failed at"),
    LOCAL_PROTECTION("local_protection_errors", "requests whose local memory went away"),
    LOCAL_INVALIDATED("req_local_invalidates", "keys that a local request invalidated"),
    LOCAL_INVALIDATE_FAILED("req_local_invalidate_errors", "those that could not be"),
    BOUND_WINDOW("req_bound_windows", "windows bound or unbound"),
    BIND_FAILED("req_bind_errors", "those that could not be"),
    SEND_QUEUE_FAILED("req_send_queue_errors", "send queues of unreliable services that stopped"),
    FLUSHED_SEND("req_cqe_flush_error", "send requests flushed"),
    FLUSHED_RECEIVE("resp_cqe_flush_error", "receive requests flushed"),
    SHARED_LIMIT("srq_limits", "shared receive queues that fell under their limit"),
    LAST_REQUEST("srq_last_requests", "failed queue pairs that let go of a shared receive queue"),
    DRAINED("req_drained", "send queues that ran dry as asked"),
    ESTABLISHED_BY_PACKET("resp_established", "first packets before ready to send"),
    COMPLETION_OVERRUN("cq_overruns", "completions that found their queue full"),
    FAILED_LISTENER("failed_listeners", "listeners of completion queues that threw"),
    DROPPED_EVENT("dropped_events", "asynchronous events that were not polled in time");

    private final String title;
    private final String meaning;

    Counter(String title, String meaning) {
        this.title = title;
        this.meaning = meaning;
    }

    public String title() {
        return title;
    }

    public String meaning() {
        return meaning;
    }
}
