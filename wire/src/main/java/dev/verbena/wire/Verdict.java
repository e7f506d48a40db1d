package dev.verbena.wire;

/// The result of checking received bytes: accepted, or refused for one named reason.
///
/// Every refusal belongs to a [Category], which decides how a receiver reacts.
public enum Verdict {
    OK(Category.ACCEPTED, "well formed"),

    ETHERTYPE_FOREIGN(Category.FOREIGN, "EtherType is none that carries RDMA or its link control"),
    IP_PROTOCOL_FOREIGN(Category.FOREIGN, "IP packet is not UDP"),
    UDP_PORT_FOREIGN(Category.FOREIGN, "UDP destination port is not 4791"),
    GRH_NEXT_HEADER_FOREIGN(Category.FOREIGN, "GRH next header is not 0x1B, IBA transport"),
    RAW_PACKET(Category.FOREIGN, "raw InfiniBand packet (LNH 0 or 1): no transport header"),
    MAC_CONTROL_FOREIGN(Category.FOREIGN, "MAC control opcode is neither pause nor PFC"),

    ETHERNET_TRUNCATED(Category.MALFORMED, "ends inside the Ethernet header"),
    VLAN_TRUNCATED(Category.MALFORMED, "ends inside the 802.1Q tag"),
    IPV4_TRUNCATED(Category.MALFORMED, "ends inside the IPv4 header"),
    IPV4_VERSION(Category.MALFORMED, "IPv4 EtherType, but the version is not 4"),
    IPV4_OPTIONS(Category.MALFORMED, "IPv4 header length is not 20; RoCE v2 allows no options"),
    IPV4_LENGTH(Category.MALFORMED, "IPv4 total length does not fit the frame"),
    IPV4_FRAGMENT(Category.FOREIGN, "IPv4 fragment; RoCE v2 is never fragmented"),
    IPV4_CHECKSUM(Category.CORRUPT, "IPv4 header checksum is wrong"),
    IPV6_TRUNCATED(Category.MALFORMED, "ends inside the IPv6 header"),
    IPV6_VERSION(Category.MALFORMED, "IPv6 EtherType, but the version is not 6"),
    IPV6_LENGTH(Category.MALFORMED, "IPv6 payload length exceeds the frame"),
    UDP_TRUNCATED(Category.MALFORMED, "ends inside the UDP header"),
    UDP_LENGTH(Category.MALFORMED, "UDP length differs from the length in the IP header"),
    LRH_TRUNCATED(Category.MALFORMED, "ends inside the LRH"),
    LRH_VERSION(Category.MALFORMED, "LRH link version is not 0"),
    LRH_LENGTH(Category.MALFORMED, "LRH packet length differs from the bytes received"),
    GRH_TRUNCATED(Category.MALFORMED, "ends inside the GRH"),
    GRH_VERSION(Category.MALFORMED, "GRH IP version is not 6"),
    GRH_LENGTH(Category.MALFORMED, "GRH payload length does not fit the packet"),
    BTH_TRUNCATED(Category.MALFORMED, "too short for a BTH and an ICRC"),
    BTH_VERSION(Category.MALFORMED, "BTH transport version is not 0"),
    TRANSPORT_UNALIGNED(Category.MALFORMED, "transport packet is not a multiple of 4 bytes"),
    OPCODE_UNKNOWN(Category.UNSUPPORTED, "BTH opcode is reserved or the manufacturer's"),
    HEADERS_TRUNCATED(Category.MALFORMED, "ends inside the headers that its opcode asks for"),
    PAD_EXCEEDS_PAYLOAD(Category.MALFORMED, "pad count is larger than the payload"),
    MAC_CONTROL_TRUNCATED(Category.MALFORMED, "ends inside a pause or PFC frame"),
    FLOW_CONTROL_LENGTH(Category.MALFORMED, "link flow-control packet is not 6 bytes"),
    FLOW_CONTROL_OPERATION(Category.MALFORMED, "link flow-control operation is reserved"),
    LLDP_TLV_TRUNCATED(Category.MALFORMED, "ends inside an LLDP TLV"),
    LLDP_TLV_LENGTH(Category.MALFORMED, "DCBX TLV is too short for its fields"),

    MAD_LENGTH(Category.MALFORMED, "management datagram is not 256 bytes"),
    MAD_VERSION(Category.MALFORMED, "MAD base version is not 1"),
    CM_CLASS_FOREIGN(Category.FOREIGN, "management class is not connection management"),
    CM_CLASS_VERSION(Category.MALFORMED, "connection-management class version is not 2"),
    CM_METHOD(Category.FOREIGN, "connection-management method is not Send"),
    CM_ATTRIBUTE_UNKNOWN(Category.MALFORMED, "connection-management message is not one we know"),

    PAYLOAD_FORBIDDEN(Category.ILLEGAL, "payload after an opcode that carries none"),
    PAYLOAD_MISSING(Category.ILLEGAL, "Last packet without payload"),
    PAYLOAD_NOT_A_PATH_MTU(Category.ILLEGAL, "First or Middle packet is not filled to a path MTU"),
    PAYLOAD_TOO_LONG(Category.ILLEGAL, "payload is longer than 4096 bytes"),
    PAYLOAD_NOT_EIGHT(Category.ILLEGAL, "ATOMIC WRITE payload is not 8 bytes"),
    PAYLOAD_NOT_SIXTEEN(Category.ILLEGAL, "CNP is not followed by 16 reserved bytes"),

    ICRC_WRONG(Category.CORRUPT, "ICRC is wrong"),
    VCRC_WRONG(Category.CORRUPT, "VCRC is wrong"),
    LPCRC_WRONG(Category.CORRUPT, "LPCRC is wrong");

    /// How a receiver reacts to a refusal.
    ///
    /// This check covers structure only. A receiver that does more than drop the packet checks the
    /// ICRC first: a flipped bit must not end a queue pair. Only requests of a reliable service are
    /// answered with a NAK.
    public enum Category {
        /// Goes on to the transport.
        ACCEPTED,
        /// Traffic of another protocol; not an error.
        FOREIGN,
        /// Cannot be taken apart; dropped without an answer (IBA 9.6).
        MALFORMED,
        /// Can be taken apart (all header accessors hold), but breaks a length rule of its opcode:
        /// a reliable responder answers with NAK "invalid request" (IBA 9.7.4.1.5).
        ILLEGAL,
        /// Only the BTH can be understood: a reliable responder answers with NAK "invalid request",
        /// others drop it.
        UNSUPPORTED,
        /// A checksum is wrong; dropped without an answer.
        CORRUPT
    }

    private final Category category;
    private final String reason;

    Verdict(Category category, String reason) {
        this.category = category;
        this.reason = reason;
    }

    public Category category() {
        return category;
    }

    /// The reason in words, to follow the object's name: "packet 7: ends inside the LRH".
    public String reason() {
        return reason;
    }

    public boolean isOk() {
        return this == OK;
    }
}
