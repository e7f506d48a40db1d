/// Programs to read and to copy from, each a single file: start with
/// [dev.verbena.samples.PingPong]. They are no library; nothing here is shared.
package dev.verbena.samples;
