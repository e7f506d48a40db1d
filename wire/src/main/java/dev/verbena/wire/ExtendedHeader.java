package dev.verbena.wire;

/// The headers that may follow a BTH, in the order in which they stand on the wire.
public enum ExtendedHeader {
    RDETH("RDETH", Rdeth.LENGTH),
    DETH("DETH", Deth.LENGTH),
    XRCETH("XRCETH", XrcEth.LENGTH),
    FETH("FETH", Feth.LENGTH),
    RETH("RETH", Reth.LENGTH),
    ATOMIC_ETH("AtomicETH", AtomicEth.LENGTH),
    AETH("AETH", Aeth.LENGTH),
    ATOMIC_ACK_ETH("AtomicAckETH", AtomicAckEth.LENGTH),
    IMM_DT("ImmDt", ImmDt.LENGTH),
    IETH("IETH", Ieth.LENGTH),
    SACK_ETH("SACKETH", SackEth.LENGTH);

    private final String title;
    private final int length;

    ExtendedHeader(String title, int length) {
        this.title = title;
        this.length = length;
    }

    /// The specification's spelling.
    public String title() {
        return title;
    }

    public int length() {
        return length;
    }

    /// Its place in a table of all kinds; not a code on the wire, so any order will do.
    @SuppressWarnings("EnumOrdinal")
    int slot() {
        return ordinal();
    }
}
