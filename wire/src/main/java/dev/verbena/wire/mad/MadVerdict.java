package dev.verbena.wire.mad;

/// The result of checking a management datagram whose class a receiver knows: accepted, or refused
/// for one named reason. What [dev.verbena.wire.Verdict] says of any datagram comes before it.
public enum MadVerdict {
    OK("well formed"),
    NOT_A_MAD("not 256 bytes of base version 1"),
    CLASS_FOREIGN("management class is another one"),
    CLASS_VERSION("class version is not the one that is known"),
    HOPS("directed route of more than 63 hops, or its pointer lies outside of it"),
    RMPP_VERSION("RMPP version is not 1"),
    RMPP_TYPE("RMPP type is none of data, acknowledgement, stop and abort"),
    RMPP_INACTIVE("RMPP data without the flag that it is active"),
    SEGMENT_FOREIGN("RMPP segment of another transaction or attribute"),
    SEGMENT_NUMBER("RMPP segment number is 0, or not the next"),
    SEGMENT_FLAGS("RMPP flag First is not on segment 1, and on no other"),
    PAYLOAD_LENGTH("RMPP payload length does not fit its segment"),
    TOO_LONG("more RMPP data than the receiver takes"),
    RECORD_LENGTH("length of a record is 0, or does not divide the data");

    private final String reason;

    MadVerdict(String reason) {
        this.reason = reason;
    }

    /// The reason in words, to follow the object's name.
    public String reason() {
        return reason;
    }

    public boolean isOk() {
        return this == OK;
    }
}
