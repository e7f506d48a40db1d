package dev.verbena.wire;

import java.util.List;

/// Operations: the lower five bits of a BTH opcode (IBA 9.2.1), the same in every service.
///
/// [#headers] are those of a reliable connection; other services add theirs in front, see [Opcode].
public enum Operation {
    SEND_FIRST(0x00, "SEND First", Position.FIRST, PayloadRule.FULL),
    SEND_MIDDLE(0x01, "SEND Middle", Position.MIDDLE, PayloadRule.FULL),
    SEND_LAST(0x02, "SEND Last", Position.LAST, PayloadRule.SOME),
    SEND_LAST_IMMEDIATE(
            0x03, "SEND Last+Imm", Position.LAST, PayloadRule.SOME, ExtendedHeader.IMM_DT),
    SEND_ONLY(0x04, "SEND Only", Position.ONLY, PayloadRule.ANY),
    SEND_ONLY_IMMEDIATE(
            0x05, "SEND Only+Imm", Position.ONLY, PayloadRule.ANY, ExtendedHeader.IMM_DT),
    WRITE_FIRST(0x06, "WRITE First", Position.FIRST, PayloadRule.FULL, ExtendedHeader.RETH),
    WRITE_MIDDLE(0x07, "WRITE Middle", Position.MIDDLE, PayloadRule.FULL),
    WRITE_LAST(0x08, "WRITE Last", Position.LAST, PayloadRule.SOME),
    WRITE_LAST_IMMEDIATE(
            0x09, "WRITE Last+Imm", Position.LAST, PayloadRule.SOME, ExtendedHeader.IMM_DT),
    WRITE_ONLY(0x0A, "WRITE Only", Position.ONLY, PayloadRule.ANY, ExtendedHeader.RETH),
    WRITE_ONLY_IMMEDIATE(
            0x0B,
            "WRITE Only+Imm",
            Position.ONLY,
            PayloadRule.ANY,
            ExtendedHeader.RETH,
            ExtendedHeader.IMM_DT),
    READ_REQUEST(0x0C, "READ Request", Position.ONLY, PayloadRule.NONE, ExtendedHeader.RETH),
    READ_RESPONSE_FIRST(
            0x0D, "READ Response First", Position.FIRST, PayloadRule.FULL, ExtendedHeader.AETH),
    /// The only answer without an AETH.
    READ_RESPONSE_MIDDLE(0x0E, "READ Response Middle", Position.MIDDLE, PayloadRule.FULL),
    READ_RESPONSE_LAST(
            0x0F, "READ Response Last", Position.LAST, PayloadRule.SOME, ExtendedHeader.AETH),
    READ_RESPONSE_ONLY(
            0x10, "READ Response Only", Position.ONLY, PayloadRule.ANY, ExtendedHeader.AETH),
    ACKNOWLEDGE(0x11, "Acknowledge", Position.ONLY, PayloadRule.NONE, ExtendedHeader.AETH),
    ATOMIC_ACKNOWLEDGE(
            0x12,
            "ATOMIC Acknowledge",
            Position.ONLY,
            PayloadRule.NONE,
            ExtendedHeader.AETH,
            ExtendedHeader.ATOMIC_ACK_ETH),
    COMPARE_SWAP(0x13, "CmpSwap", Position.ONLY, PayloadRule.NONE, ExtendedHeader.ATOMIC_ETH),
    FETCH_ADD(0x14, "FetchAdd", Position.ONLY, PayloadRule.NONE, ExtendedHeader.ATOMIC_ETH),
    /// Exists in reliable datagrams only.
    RESYNC(0x15, "RESYNC", Position.ONLY, PayloadRule.NONE),
    SEND_LAST_INVALIDATE(
            0x16, "SEND Last+Inv", Position.LAST, PayloadRule.SOME, ExtendedHeader.IETH),
    SEND_ONLY_INVALIDATE(
            0x17, "SEND Only+Inv", Position.ONLY, PayloadRule.ANY, ExtendedHeader.IETH),
    FLUSH(0x1C, "FLUSH", Position.ONLY, PayloadRule.NONE, ExtendedHeader.FETH, ExtendedHeader.RETH),
    ATOMIC_WRITE(0x1D, "ATOMIC WRITE", Position.ONLY, PayloadRule.EIGHT, ExtendedHeader.RETH),
    /// Exists in the CNP service only; RoCE NICs send opcode 0x81.
    CONGESTION_NOTIFICATION(0x01, "CNP", Position.ONLY, PayloadRule.SIXTEEN),
    /// Exists in the CNP service only: HCAs send it on native InfiniBand; Linux hfi1 omits the
    /// reserved bytes.
    CONGESTION_NOTIFICATION_NATIVE(0x00, "CNP 0x80", Position.ONLY, PayloadRule.SIXTEEN_OR_NONE),
    /// Verbena's own: an acknowledgement with a map of packets that came early. Exists in
    /// [Service#MANUFACTURER_6] only.
    SELECTIVE_ACKNOWLEDGE(
            0x1C,
            "SACK",
            Position.ONLY,
            PayloadRule.NONE,
            ExtendedHeader.AETH,
            ExtendedHeader.SACK_ETH),
    /// Every opcode that no service defines.
    UNKNOWN(-1, "unknown", Position.ONLY, PayloadRule.ANY);

    /// Where a packet stands in its message.
    public enum Position {
        FIRST,
        MIDDLE,
        LAST,
        ONLY
    }

    private final int code;
    private final String title;
    private final Position position;
    private final PayloadRule payload;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of, which never changes
    private final List<ExtendedHeader> headers;

    Operation(
            int code,
            String title,
            Position position,
            PayloadRule payload,
            ExtendedHeader... headers) {
        this.code = code;
        this.title = title;
        this.position = position;
        this.payload = payload;
        this.headers = List.of(headers);
    }

    /// The five bits, or -1 of the unknown.
    public int code() {
        return code;
    }

    public String title() {
        return title;
    }

    public Position position() {
        return position;
    }

    public PayloadRule payload() {
        return payload;
    }

    public List<ExtendedHeader> headers() {
        return headers;
    }

    /// Whether the responder sends it: READ responses and acknowledgements.
    public boolean isResponse() {
        return (code >= READ_RESPONSE_FIRST.code && code <= ATOMIC_ACKNOWLEDGE.code)
                || this == SELECTIVE_ACKNOWLEDGE;
    }

    /// Whether it is a packet of a SEND, of any kind and at any place.
    public boolean isSend() {
        return (code >= SEND_FIRST.code
                        && code <= SEND_ONLY_IMMEDIATE.code
                        && this != CONGESTION_NOTIFICATION
                        && this != CONGESTION_NOTIFICATION_NATIVE)
                || this == SEND_LAST_INVALIDATE
                || this == SEND_ONLY_INVALIDATE;
    }

    /// Whether it is a packet of a WRITE, with or without immediate, at any place.
    public boolean isWrite() {
        return code >= WRITE_FIRST.code && code <= WRITE_ONLY_IMMEDIATE.code;
    }

    /// Whether it starts a message: a request, or the answer to one.
    public boolean startsMessage() {
        return position == Position.FIRST || position == Position.ONLY;
    }

    public boolean endsMessage() {
        return position == Position.LAST || position == Position.ONLY;
    }
}
