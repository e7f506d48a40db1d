package dev.verbena.wire;

/// The checks from the BTH on, the same behind every encapsulation.
final class TransportChecks {
    /// The shortest transport packet: a BTH and an ICRC.
    static final int MIN_LENGTH = Bth.LENGTH + Icrc.LENGTH;

    private TransportChecks() {}

    static Verdict check(PacketView view, long bthAt, long end) {
        long length = end - bthAt;
        if (length < MIN_LENGTH) {
            return Verdict.BTH_TRUNCATED;
        }
        view.kind = PacketKind.TRANSPORT;
        view.readBth(bthAt);
        Opcode opcode = view.opcode;
        view.icrcAt = end - Icrc.LENGTH;
        if ((length & 3) != 0) {
            return Verdict.TRANSPORT_UNALIGNED;
        }
        if (view.bthVersion() != Bth.VERSION) {
            return Verdict.BTH_VERSION;
        }
        if (!opcode.isKnown()) {
            return Verdict.OPCODE_UNKNOWN;
        }
        // Both sums stay far below 2^31: a frame is at most 2^31 bytes, headers are at most 60.
        long padded = length - MIN_LENGTH - opcode.headersLength();
        if (padded < 0) {
            return Verdict.HEADERS_TRUNCATED;
        }
        int pad = view.padCount();
        if (pad > padded) {
            return Verdict.PAD_EXCEEDS_PAYLOAD;
        }
        view.payloadAt = bthAt + Bth.LENGTH + opcode.headersLength();
        view.payloadLength = (int) padded - pad;
        return opcode.operation().payload().check(view.payloadLength);
    }

    /// The same for headers without payload, pad and ICRC behind them; the payload lies elsewhere.
    static Verdict checkApart(PacketView view, long bthAt, int length, int payloadLength) {
        if (length < Bth.LENGTH) {
            return Verdict.BTH_TRUNCATED;
        }
        view.kind = PacketKind.TRANSPORT;
        view.readBth(bthAt);
        Opcode opcode = view.opcode;
        if (view.bthVersion() != Bth.VERSION) {
            return Verdict.BTH_VERSION;
        }
        if (!opcode.isKnown()) {
            return Verdict.OPCODE_UNKNOWN;
        }
        if (length != Bth.LENGTH + opcode.headersLength()) {
            return Verdict.HEADERS_TRUNCATED;
        }
        view.payloadAt = bthAt + length;
        view.payloadLength = payloadLength;
        if (view.padCount() != (-payloadLength & 3)) {
            return Verdict.TRANSPORT_UNALIGNED;
        }
        return opcode.operation().payload().check(payloadLength);
    }
}
