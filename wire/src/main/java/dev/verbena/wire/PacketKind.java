package dev.verbena.wire;

/// What a frame turned out to be.
public enum PacketKind {
    /// Nothing was wrapped, or it was refused before anything could be told.
    NONE,
    /// A BTH and what follows it.
    TRANSPORT,
    /// A global pause frame, see [Pause].
    PAUSE,
    /// A priority flow-control frame, see [Pfc].
    PFC,
    /// A link-layer discovery frame, see [Lldp].
    LLDP
}
