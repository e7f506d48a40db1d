package dev.verbena.wire.capture;

/// The result of one step of a [CaptureReader]: a packet, the end, or one named problem of the
/// file.
public enum CaptureStatus {
    PACKET("a packet was read"),
    END("the file ended where a record could have begun"),

    TRUNCATED("the file ends inside a record"),
    BAD_MAGIC("the file starts neither as pcap nor as pcapng"),
    BAD_VERSION("the format version is not one that is read here"),
    BYTE_ORDER("the byte-order magic of a section is wrong in either order"),
    BLOCK_LENGTH("a block length is no multiple of 4, or too short for its fixed fields"),
    BLOCK_TRAILER("the length after a block differs from the length before it"),
    OPTION_LENGTH("an interface option is longer than its block or not as long as its kind is"),
    PACKET_EXCEEDS_BLOCK("a packet is longer than the block that carries it"),
    PACKET_TOO_LONG("a packet is longer than the reader's limit"),
    UNKNOWN_INTERFACE("a packet names an interface that its section did not describe"),
    TOO_MANY_INTERFACES("a section describes more interfaces than the reader's limit"),
    TIMESTAMP_RANGE("a timestamp does not fit 63 bits of nanoseconds since 1970");

    private final String reason;

    CaptureStatus(String reason) {
        this.reason = reason;
    }

    /// The status in words; [CaptureReader#problemText] adds the offset and the numbers.
    public String reason() {
        return reason;
    }

    public boolean isProblem() {
        return this != PACKET && this != END;
    }
}
