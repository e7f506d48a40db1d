package dev.verbena.ibverbs.driver;

import dev.verbena.transport.TransportDevice;
import dev.verbena.verbs.Gid;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/// A device of the machine; contexts of one device share it.
final class DriverDevice extends DriverObject {
    /// Where the port has its address; the entries before it are of other kinds.
    static final int GID_INDEX = 3;

    final String name;
    final TransportDevice transport;

    DriverDevice(InProcessDriver driver, String name, TransportDevice transport) {
        super(driver, Layouts.DEVICE);
        this.name = name;
        this.transport = transport;
        byte[] text = name.getBytes(StandardCharsets.US_ASCII);
        MemorySegment.copy(
                MemorySegment.ofArray(text),
                0,
                CStruct.memory(address + Layouts.DEVICE.offset("name"), text.length),
                0,
                text.length);
    }

    Gid gid() {
        return transport.gids(1).getFirst();
    }
}
