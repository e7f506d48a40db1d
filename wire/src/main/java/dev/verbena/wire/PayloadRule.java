package dev.verbena.wire;

/// How much payload an operation carries, as far as a single packet can tell (IBA 9.7.4.1.5).
public enum PayloadRule {
    /// No payload at all.
    NONE,
    /// Exactly one path MTU: First and Middle packets.
    FULL,
    /// At least one byte: Last packets.
    SOME,
    /// Anything from nothing to a path MTU: Only packets.
    ANY,
    /// Exactly 8 bytes: ATOMIC WRITE.
    EIGHT,
    /// Exactly 16 reserved bytes: CNP of RoCE v2.
    SIXTEEN,
    /// 16 reserved bytes or none: CNP of native InfiniBand.
    SIXTEEN_OR_NONE;

    Verdict check(int payloadLength) {
        return switch (this) {
            case ANY -> longest(payloadLength);
            case SOME -> payloadLength == 0 ? Verdict.PAYLOAD_MISSING : longest(payloadLength);
            case FULL ->
                    PathMtu.isExactly(payloadLength) ? Verdict.OK : Verdict.PAYLOAD_NOT_A_PATH_MTU;
            case NONE -> payloadLength == 0 ? Verdict.OK : Verdict.PAYLOAD_FORBIDDEN;
            case EIGHT -> payloadLength == 8 ? Verdict.OK : Verdict.PAYLOAD_NOT_EIGHT;
            case SIXTEEN -> payloadLength == 16 ? Verdict.OK : Verdict.PAYLOAD_NOT_SIXTEEN;
            case SIXTEEN_OR_NONE -> payloadLength == 0 ? Verdict.OK : SIXTEEN.check(payloadLength);
        };
    }

    private static Verdict longest(int payloadLength) {
        return payloadLength <= PathMtu.MAX_BYTES ? Verdict.OK : Verdict.PAYLOAD_TOO_LONG;
    }
}
