package dev.verbena.fabric;

import dev.verbena.wire.Ethernet;
import dev.verbena.wire.FlowControl;
import dev.verbena.wire.Grh;
import dev.verbena.wire.Ipv4;
import dev.verbena.wire.Lrh;
import dev.verbena.wire.Udp;
import dev.verbena.wire.Vcrc;

/// Length of packets on a link.
public sealed interface Framing {
    /// Length on a link of a packet, from its length from BTH through ICRC and the length of its
    /// payload.
    int wireBytes(int transportBytes, int payloadBytes, boolean isGlobal);

    /// Length on a link of a TCP packet on Ethernet: TCP's header is in the place of UDP's and of
    /// all that RDMA has.
    default int tcpBytes(int payloadBytes) {
        int transportBytes = TcpHeader.LENGTH - Udp.LENGTH + payloadBytes;
        return wireBytes(transportBytes, payloadBytes, true);
    }

    /// Bytes of that length that need no room in a buffer.
    int gapBytes();

    /// Bytes of link time of a frame between neighbours: a pause, or credits.
    int controlBytes();

    /// RoCE v2 over IPv4: Ethernet's header, checksum, preamble and gap (IEEE 802.3), IP and UDP.
    record RoceV2() implements Framing {
        private static final int HEADERS = Ethernet.LENGTH + Ipv4.LENGTH + Udp.LENGTH;
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
        @Override
        public int wireBytes(int transportBytes, int payloadBytes, boolean isGlobal) {
            return Lrh.LENGTH + (isGlobal ? Grh.LENGTH : 0) + transportBytes + Vcrc.LENGTH;
        }

        @Override
        public int gapBytes() {
            return 0;
        }

        @Override
        public int controlBytes() {
            return FlowControl.LENGTH;
        }
    }

    /// The same number of bytes around every payload, as in other simulators.
    ///
    /// @param controlBytes length of a frame between neighbours; with 0 it takes no link time
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
