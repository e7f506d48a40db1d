/// InfiniBand and RoCE packets, byte for byte.
///
/// There are two levels. The *view* level reads and writes fields in place: every header type has
/// static accessors on `(segment, at)` that allocate nothing, and [dev.verbena.wire.PacketView]
/// finds the headers of a whole frame. The *meaning* level has the same header types as records,
/// combined in [dev.verbena.wire.Packet]; it is for tools, tests and all code that is not
/// performance critical.
///
/// Bytes are checked once, on entry: a `wrap…` method of `PacketView` returns a
/// [dev.verbena.wire.Verdict], and after `OK` no accessor of a present header can fail or read
/// outside the packet. Structure and integrity are separate checks: the entry checks lengths and
/// codes, [dev.verbena.wire.Icrc] and [dev.verbena.wire.Vcrc] check checksums.
///
/// This package reads no clock, opens no socket and starts no thread.
///
/// Read [dev.verbena.wire.PacketView] first, then [dev.verbena.wire.Opcode].
package dev.verbena.wire;
