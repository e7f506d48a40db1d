package dev.verbena.wire;

import java.util.Arrays;

/// CRCs one bit at a time, and the ICRC's masks one byte at a time: slow, plain, and made apart
/// from the code under test, to hold it against.
final class SerialCrc {
    private SerialCrc() {}

    static int crc32(byte[] bytes) {
        int register = -1;
        for (byte octet : bytes) {
            for (int bit = 0; bit < 8; bit++) {
                int feedback = (register ^ (octet >> bit)) & 1;
                register = (register >>> 1) ^ (feedback * 0xEDB88320);
            }
        }
        return ~register;
    }

    static int crc16(byte[] bytes) {
        int register = 0xFFFF;
        for (byte octet : bytes) {
            for (int bit = 0; bit < 8; bit++) {
                int feedback = (register ^ (octet >> bit)) & 1;
                register = (register >>> 1) ^ (feedback * 0xD008);
            }
        }
        return ~register & 0xFFFF;
    }

    /// The ICRC of the bytes from the first network header up to the ICRC.
    static int icrc(Encapsulation encapsulation, byte[] network) {
        byte[] masked =
                encapsulation == Encapsulation.IB_LOCAL
                        ? network.clone()
                        : withOnesInFront(encapsulation, network);
        switch (encapsulation) {
            case IB_LOCAL -> {
                masked[0] |= (byte) 0xF0;
                masked[12] = -1;
            }
            case IB_GLOBAL, ROCE_V1 -> {
                ipv6(masked);
                masked[8 + 40 + 4] = -1;
            }
            case ROCE_V2_IPV4 -> {
                for (int at : new int[] {1, 8, 10, 11, 26, 27, 28 + 4}) {
                    masked[8 + at] = -1;
                }
            }
            case ROCE_V2_IPV6 -> {
                ipv6(masked);
                for (int at : new int[] {46, 47, 48 + 4}) {
                    masked[8 + at] = -1;
                }
            }
            case BARE -> throw new AssertionError("no network headers");
        }
        return crc32(masked);
    }

    private static void ipv6(byte[] masked) {
        masked[8] |= 0x0F;
        masked[9] = -1;
        masked[10] = -1;
        masked[11] = -1;
        masked[15] = -1;
    }

    private static byte[] withOnesInFront(Encapsulation encapsulation, byte[] network) {
        int skip = encapsulation == Encapsulation.IB_GLOBAL ? 8 : 0;
        byte[] masked = new byte[8 + network.length - skip];
        Arrays.fill(masked, 0, 8, (byte) 0xFF);
        System.arraycopy(network, skip, masked, 8, network.length - skip);
        return masked;
    }
}
