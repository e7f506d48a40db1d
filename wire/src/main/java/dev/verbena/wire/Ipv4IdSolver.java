package dev.verbena.wire;

/// Finds the IPv4 identification that a UDP socket hides, from the ICRC that covers it.
///
/// A CRC is linear: the difference between the ICRC received and the one computed with
/// identification 0 is the identification itself, carried through as many zero bytes as follow it.
/// Carrying the difference back must leave thirty-two bits of which sixteen are the identification
/// and sixteen are zero. So at most one identification fits, and bytes that were damaged at random
/// find one with probability 2^-16, or 2^-25 when only identifications below [#STRONG_BELOW] are
/// taken (what a sender with DF and segmentation offload uses).
public final class Ipv4IdSolver {
    /// No identification makes the packet right.
    public static final int NONE = -1;

    /// Identifications below this make a strong check.
    public static final int STRONG_BELOW = 128;

    /// From the identification (its own two bytes too) to the end of the IPv4 and UDP headers.
    private static final int HEADER_BYTES = Ipv4.LENGTH - Ipv4.ID + Udp.LENGTH;

    /// The longest UDP payload over IPv4.
    private static final int LENGTH_MAX = 0xFFFF - Ipv4.LENGTH - Udp.LENGTH;

    /// x^(-32 w) for every count w of four-byte words that may follow.
    private static final int[] BACK = back((LENGTH_MAX + HEADER_BYTES) / 4 + 1);

    static {
        // The table steps by words, so the fixed part must be whole words too.
        assert HEADER_BYTES % 4 == 0;
    }

    private Ipv4IdSolver() {}

    /// The identification with which `received` is the right ICRC, or [#NONE].
    ///
    /// @param computed the ICRC computed with identification 0
    /// @param received the ICRC in the packet
    /// @param length bytes from the BTH up to the ICRC; nothing fits a length that no packet has
    public static int solve(int computed, int received, int length) {
        if ((length & 3) != 0 || length < 0 || length > LENGTH_MAX) {
            return NONE;
        }
        int back = CrcPolynomial.multiply(computed ^ received, BACK[(HEADER_BYTES + length) / 4]);
        // The low half of the register meets the next two bytes; the high half must be clean.
        return back >>> 16 == 0 ? Short.reverseBytes((short) back) & 0xFFFF : NONE;
    }

    private static int[] back(int count) {
        int word = CrcPolynomial.shift(CrcPolynomial.ONE, -32);
        int[] powers = new int[count];
        powers[0] = CrcPolynomial.ONE;
        for (int i = 1; i < count; i++) {
            powers[i] = CrcPolynomial.multiply(powers[i - 1], word);
        }
        return powers;
    }
}
