package dev.verbena.wire;

/// The kind of a frame.
public enum PacketKind {
    /// Nothing was wrapped, or the frame was refused before its kind was known.
    NONE,
    /// A BTH and the bytes after it.
    TRANSPORT,
    /// A global pause frame, see [Pause].
    PAUSE,
    /// A priority flow-control frame, see [Pfc].
    PFC,
    /// A link-layer discovery frame, see [Lldp].
    LLDP
}
