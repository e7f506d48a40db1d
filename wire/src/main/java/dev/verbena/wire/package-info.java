/// InfiniBand and RoCE packets, byte for byte.
package dev.verbena.wire;
