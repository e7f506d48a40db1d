package dev.verbena.wire;

/// AETH syndromes: the meaning of the eight bits of an acknowledgement (IBA 9.7.5.1.2).
///
/// | bits 7-5 | bits 4-0 | meaning |
/// |---|---|---|
/// | 000 | credit code, see [AckCredits] | acknowledged |
/// | 001 | timer code, see [RnrTimer] | receiver not ready |
/// | 011 | NAK code | refused |
/// | other | | reserved |
public final class AethSyndrome {
    /// The meaning of the upper three bits.
    public enum Kind {
        ACK,
        RNR_NAK,
        NAK,
        RESERVED
    }

    public static final int ACK = 0x00;
    public static final int RNR_NAK = 0x20;
    public static final int NAK = 0x60;

    /// An acknowledgement that grants no credits and asks the requester to use none.
    public static final int ACK_UNLIMITED = ACK | AckCredits.INVALID;

    /// Retried from the PSN named; the others below are the end of the queue pair.
    public static final int NAK_SEQUENCE = NAK;

    public static final int NAK_INVALID_REQUEST = NAK | 1;
    public static final int NAK_REMOTE_ACCESS = NAK | 2;
    public static final int NAK_REMOTE_OPERATION = NAK | 3;
    public static final int NAK_INVALID_RD_REQUEST = NAK | 4;

    private static final int VALUE = 0x1F;

    private AethSyndrome() {}

    public static Kind kind(int syndrome) {
        return switch (syndrome & 0xE0) {
            case ACK -> Kind.ACK;
            case RNR_NAK -> Kind.RNR_NAK;
            case NAK -> Kind.NAK;
            default -> Kind.RESERVED;
        };
    }

    /// The lower five bits: a credit, timer or NAK code, by the kind.
    public static int value(int syndrome) {
        return syndrome & VALUE;
    }

    /// The syndrome in words, for people.
    public static String words(int syndrome) {
        int value = value(syndrome);
        return switch (kind(syndrome)) {
            case ACK ->
                    value == AckCredits.INVALID ? "ACK" : "ACK credits " + AckCredits.count(value);
            case RNR_NAK -> "RNR NAK, wait " + RnrTimer.words(value);
            case NAK -> "NAK " + nakWords(value);
            case RESERVED -> "reserved syndrome 0x%02x".formatted(syndrome);
        };
    }

    private static String nakWords(int value) {
        return switch (NAK | value) {
            case NAK_SEQUENCE -> "PSN sequence error";
            case NAK_INVALID_REQUEST -> "invalid request";
            case NAK_REMOTE_ACCESS -> "remote access error";
            case NAK_REMOTE_OPERATION -> "remote operational error";
            case NAK_INVALID_RD_REQUEST -> "invalid RD request";
            default -> "reserved code " + value;
        };
    }
}
