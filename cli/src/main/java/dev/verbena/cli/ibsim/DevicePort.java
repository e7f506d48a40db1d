package dev.verbena.cli.ibsim;

import dev.verbena.ibverbs.ManagementDevice;
import dev.verbena.subnet.DatagramSink;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// A port of this machine, by libibumad.
public final class DevicePort implements ManagementLink {
    private static final int PATIENCE_MS = 200;

    /// Nothing ends a wait for datagrams from outside, so each is short.
    private static final long WAIT_MS = 100;

    private final ManagementDevice device;

    /// Opens a port.
    ///
    /// @param device such as `mlx5_0`
    public DevicePort(String device, int port) throws IOException {
        try {
            this.device = ManagementDevice.open(device, port, true, PATIENCE_MS);
        } catch (VerbsException refused) {
            throw new IOException(refused.getMessage(), refused);
        }
    }

    @Override
    public void send(int lid, int pair, MemorySegment mad) {
        device.send(lid == DatagramSink.DIRECTED ? ManagementDevice.DIRECTED : lid, pair, mad);
    }

    @Override
    public boolean receive(Receiver receiver) throws IOException {
        try {
            return device.receive(receiver::receive);
        } catch (VerbsException gone) {
            throw new IOException(gone.getMessage(), gone);
        }
    }

    @Override
    public void await(long mostMs) {
        device.await((int) Math.clamp(mostMs, 1, WAIT_MS));
    }

    @Override
    public void wakeUp() {
        // A wait is short.
    }

    @Override
    public void close() {
        device.close();
    }
}
