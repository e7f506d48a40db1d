package dev.verbena.fabric;

/// The forward error correction of lanes with PAM4, RS(544,514) over symbols of ten bits (IEEE
/// 802.3 clause 91, "KP4"; InfiniBand from HDR on): what bit errors leave of packets.
///
/// A codeword with at most 15 wrong symbols is corrected, and one with more is lost. Bit errors are
/// taken as independent: bursts, which real lanes have, are worse.
final class Kp4 {
    static final int SYMBOLS = 544;
    static final int CORRECTED = 15;
    private static final int SYMBOL_BITS = 10;

    /// Of 5,140 bits of a codeword, 20 blocks of 257 carry 256 each.
    private static final int PAYLOAD_BYTES = 640;

    private Kp4() {}

    /// The chance that a codeword is lost, at a rate of bit errors before correction.
    static double codewordLoss(double bitErrors) {
        // The chance of a wrong symbol; 1 - (1 - b)^10 would lose the digits of a small b.
        double wrong = -Math.expm1(SYMBOL_BITS * Math.log1p(-bitErrors));
        double logWrong = Math.log(wrong);
        double logRight = Math.log1p(-wrong);
        // ln C(544, k) for k = 0, 1, ...
        double logChoices = 0;
        double sum = 0;
        for (int k = 0; k <= SYMBOLS; k++) {
            if (k > CORRECTED) {
                sum += Math.exp(logChoices + k * logWrong + (SYMBOLS - k) * logRight);
            }
            logChoices += Math.log(SYMBOLS - k) - Math.log(k + 1);
        }
        return Math.min(1, sum);
    }

    /// The chance that a packet is lost: that one of the codewords is in which it has bits. It
    /// begins anywhere in one, so they are one more than its length says, on average.
    static double packetLoss(double codewordLoss, int bytes) {
        double codewords = 1 + (double) (bytes - 1) / PAYLOAD_BYTES;
        return -Math.expm1(codewords * Math.log1p(-codewordLoss));
    }
}
