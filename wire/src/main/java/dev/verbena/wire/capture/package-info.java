/// Capture files, pcap and pcapng, packet by packet, and the ERF records that carry InfiniBand in
/// them.
///
/// Read [CaptureReader] first. Reading and writing stream through one bounded buffer on a channel
/// that the caller opened; no file is opened here, and memory does not grow with the file. The
/// content of a file is never trusted and never raises an exception: it ends in a [CaptureStatus].
/// Packets are not parsed here, except for the [Erf] record around them.
package dev.verbena.wire.capture;
