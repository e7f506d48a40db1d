package dev.verbena.cli;

/// The options of one side of a pingpong.
///
/// @param bytes of a message
/// @param rxDepth receives to post at a time, for all queue pairs together
/// @param pairs queue pairs; more than one only with a shared receive queue
/// @param mtu payload of a packet, for connections of several packets per message
/// @param isChecked whether bytes of every message that comes are looked at
record PingpongPlan(
        PingpongType type, int bytes, int rxDepth, int pairs, int mtu, boolean isChecked) {}
