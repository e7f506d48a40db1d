/// InfiniBand and RoCE packets, byte for byte.
///
/// There are two levels. The *view* level reads and writes fields in place: every header type has
/// static accessors on `(segment, at)` that allocate nothing, and [dev.verbena.wire.PacketView]
/// finds the headers of a whole frame. The *meaning* level is the same header types as records, put
/// together in [dev.verbena.wire.Packet]; it is for tools, tests and everything that is not in a
/// hurry.
///
/// Bytes are checked once, at the door: a `wrap…` method of `PacketView` answers with a
/// [dev.verbena.wire.Verdict], and after `OK` no accessor of what is there can fail or read outside
/// the packet. Structure and integrity are two questions: the door looks at lengths and codes,
/// [dev.verbena.wire.Icrc] and [dev.verbena.wire.Vcrc] look at checksums.
///
/// This package reads no clock, opens no socket and starts no thread.
///
/// Read [dev.verbena.wire.PacketView] first, then [dev.verbena.wire.Opcode].
package dev.verbena.wire;
