package dev.verbena.wire.capture;

/// The result of checking a captured ERF record: accepted, or refused for one named reason.
public enum ErfVerdict {
    OK("well formed"),
    HEADER_TRUNCATED("ends inside the ERF header"),
    RECORD_LENGTH("ERF record length is less than the header's 16 bytes"),
    RECORD_TRUNCATED("ERF record is longer than its captured part"),
    EXTENSION_TRUNCATED("ERF record ends inside its chain of extension headers"),
    PAD_TRUNCATED("ERF record ends inside the two bytes before an Ethernet frame"),
    TYPE_FOREIGN("ERF type carries neither InfiniBand nor Ethernet");

    private final String reason;

    ErfVerdict(String reason) {
        this.reason = reason;
    }

    /// The reason in words, to follow the record's name.
    public String reason() {
        return reason;
    }

    public boolean isOk() {
        return this == OK;
    }
}
