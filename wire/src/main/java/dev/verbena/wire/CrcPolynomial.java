package dev.verbena.wire;

/// Arithmetic of the CRC-32 register: polynomials over GF(2) modulo the generator, bit-reversed, so
/// that bit 31 is x^0.
///
/// A register that differs by `d` before some bytes differs by `d * x^(8 n)` after n of them,
/// whatever they are: that is all a CRC's linearity says, and all that is used of it here.
final class CrcPolynomial {
    static final int ONE = 0x8000_0000;

    /// The generator of CRC-32 without x^32.
    private static final int GENERATOR = 0xEDB8_8320;

    private CrcPolynomial() {}

    /// `a * x^bits`; a negative number of bits divides.
    static int shift(int a, int bits) {
        int result = a;
        for (int i = 0; i < bits; i++) {
            result = timesX(result);
        }
        for (int i = 0; i > bits; i--) {
            result = result < 0 ? ((result ^ GENERATOR) << 1) | 1 : result << 1;
        }
        return result;
    }

    static int multiply(int a, int b) {
        int product = 0;
        int left = a;
        int right = b;
        while (left != 0) {
            product ^= right & (left >> 31);
            left <<= 1;
            right = timesX(right);
        }
        return product;
    }

    private static int timesX(int a) {
        return (a >>> 1) ^ (GENERATOR & -(a & 1));
    }
}
