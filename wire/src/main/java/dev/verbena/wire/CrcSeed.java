package dev.verbena.wire;

import java.util.zip.CRC32;

/// Four bytes that, in front of others, make a CRC-32 come out as if those were different.
///
/// A CRC is linear: a bit that is flipped changes the register in the same way whatever the other
/// bits are, and four bytes, as many as the register has, can make the same change from any
/// distance. This is how the ICRC takes header bits as ones without a copy of the headers: the
/// JDK's CRC-32 gets a seed and then the packet as it lies, in one piece, which it is fastest at.
///
/// A seed is an int whose least significant byte goes first; changes are added to it by `^`.
final class CrcSeed {
    static final int LENGTH = 4;

    /// How far a byte can be from a seed: a BTH behind an IPv6 header.
    private static final int DISTANCE_MAX = 64;

    /// At `256 (DISTANCE_MAX + d) + b`: the change that byte b causes at distance d.
    private static final int[] CHANGES = changes();

    private CrcSeed() {}

    /// The seed of bytes that count as they are, behind others of which `crc` is the CRC-32.
    static int behind(int crc) {
        // The register is complemented in the end, and starts as ones.
        int register = ~crc;
        return ~(change(register, 0)
                ^ change(register >> 8, 1)
                ^ change(register >> 16, 2)
                ^ change(register >> 24, 3));
    }

    /// The change of the seed for a byte that differs by the bits of `octet`, at a distance from
    /// the first byte after the seed; a byte before it, which is not present, has a negative
    /// distance.
    static int change(int octet, int distance) {
        return CHANGES[((DISTANCE_MAX + distance) << 8) | (octet & 0xFF)];
    }

    /// The same for a field of two bytes.
    static int change16(int bits, int distance) {
        return change(bits >> 8, distance) ^ change(bits, distance + 1);
    }

    /// Gives a CRC-32 that was just reset its seed.
    static void put(CRC32 crc, int seed) {
        // Compiled code does these in line, where an array of four would be a call.
        crc.update(seed);
        crc.update(seed >> 8);
        crc.update(seed >> 16);
        crc.update(seed >> 24);
    }

    private static int[] changes() {
        int[] table = new int[256 * 2 * DISTANCE_MAX];
        int last = table.length - 256;
        for (int octet = 0; octet < 256; octet++) {
            table[last + octet] = CrcPolynomial.shift(octet, -8 * (DISTANCE_MAX - 1 + LENGTH));
        }
        for (int i = last - 1; i >= 0; i--) {
            table[i] = CrcPolynomial.shift(table[i + 256], 8);
        }
        return table;
    }
}
