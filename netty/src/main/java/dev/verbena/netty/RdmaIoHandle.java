package dev.verbena.netty;

import io.netty.channel.IoHandle;

/// A channel of this transport, as its handler knows it.
interface RdmaIoHandle extends IoHandle {
    @Override
    void close();
}
