package dev.verbena.transport.cm;

/// Times and limits of connection management. Timeouts are codes of
/// [dev.verbena.wire.mad.CmTimeout].
///
/// @param responseTimeout how long each side may take to answer a message; told to the peer
/// @param retries how often a message is sent again before giving up, 0 to 15; told to the peer
/// @param serviceTimeout how long a program may take to decide
/// @param lifeTime how long a packet may be on its way
/// @param connections how many there may be at a time, those that are over but kept among them
/// @param resolutions how many questions for datagram queue pairs there may be at a time, of each
///   kind: asked here, waiting for a program here, and kept with their answers
public record CmSettings(
        int responseTimeout,
        int retries,
        int serviceTimeout,
        int lifeTime,
        int connections,
        int resolutions) {
    /// Half a second for an answer, fifteen times; a minute for a program; packets arrive within a
    /// quarter of a second.
    public static final CmSettings DEFAULT = new CmSettings(17, 15, 24, 16, 1 << 17, 1 << 12);
}
