package dev.verbena.wire;

import java.lang.foreign.MemorySegment;

/// A header between the BTH and the payload, as a value.
public sealed interface Eth
        permits Aeth,
                AtomicAckEth,
                AtomicEth,
                Deth,
                Feth,
                Ieth,
                ImmDt,
                Rdeth,
                Reth,
                SackEth,
                XrcEth {

    ExtendedHeader kind();

    void emit(MemorySegment segment, long at);

    /// Reads the header of one kind; the caller has checked that all of it is there.
    static Eth parse(ExtendedHeader kind, MemorySegment segment, long at) {
        return switch (kind) {
            case RDETH -> Rdeth.parse(segment, at);
            case DETH -> Deth.parse(segment, at);
            case XRCETH -> XrcEth.parse(segment, at);
            case FETH -> Feth.parse(segment, at);
            case RETH -> Reth.parse(segment, at);
            case ATOMIC_ETH -> AtomicEth.parse(segment, at);
            case AETH -> Aeth.parse(segment, at);
            case ATOMIC_ACK_ETH -> AtomicAckEth.parse(segment, at);
            case IMM_DT -> ImmDt.parse(segment, at);
            case IETH -> Ieth.parse(segment, at);
            case SACK_ETH -> SackEth.parse(segment, at);
        };
    }
}
