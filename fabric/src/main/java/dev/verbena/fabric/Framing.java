package dev.verbena.fabric;

/// How many bytes a packet takes of a link.
public sealed interface Framing {
    /// Bytes of link time for a packet with so many bytes from BTH through ICRC, of which so many
    /// are payload.
    int wireBytes(int transportBytes, int payloadBytes, boolean isGlobal);

    /// Bytes of that which take no room in a buffer.
    int gapBytes();

    /// Bytes of link time of a frame between neighbours: a pause, or credits.
    int controlBytes();

    /// RoCE v2 over IPv4: Ethernet's header, checksum, preamble and gap (IEEE 802.3), IP and UDP.
    record RoceV2() implements Framing {
        private static final int HEADERS = 14 + 20 + 8;
        private static final int CHECKSUM = 4;
        private static final int SHORTEST = 64;
        private static final int PREAMBLE_AND_GAP = 8 + 12;

        @Override
        public int wireBytes(int transportBytes, int payloadBytes, boolean isGlobal) {
            return Math.max(SHORTEST, HEADERS + transportBytes + CHECKSUM) + PREAMBLE_AND_GAP;
        }

        @Override
        public int gapBytes() {
            return PREAMBLE_AND_GAP;
        }

        @Override
        public int controlBytes() {
            return SHORTEST + PREAMBLE_AND_GAP;
        }
    }

    /// InfiniBand (IBA 7): LRH, GRH where there is one, VCRC.
    record InfiniBand() implements Framing {
        private static final int LRH = 8;
        private static final int GRH = 40;
        private static final int VCRC = 2;
        private static final int FLOW_CONTROL = 6;

        @Override
        public int wireBytes(int transportBytes, int payloadBytes, boolean isGlobal) {
            return LRH + (isGlobal ? GRH : 0) + transportBytes + VCRC;
        }

        @Override
        public int gapBytes() {
            return 0;
        }

        @Override
        public int controlBytes() {
            return FLOW_CONTROL;
        }
    }

    /// The same number of bytes around any payload, as other simulators have it.
    ///
    /// @param controlBytes of a frame between neighbours; with 0 it only has the cable's delay
    record Flat(int bytes, int controlBytes) implements Framing {
        @Override
        public int wireBytes(int transportBytes, int payloadBytes, boolean isGlobal) {
            return payloadBytes + bytes;
        }

        @Override
        public int gapBytes() {
            return 0;
        }
    }
}
