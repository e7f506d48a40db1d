package dev.verbena.ibverbs;

import dev.verbena.verbs.Device;
import dev.verbena.verbs.NoDeviceException;
import dev.verbena.verbs.spi.DeviceProvider;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.util.List;

/// Opens `ibverbs://DEVICE[/PORT][?…]`: a NIC, or any other RDMA device of the kernel.
///
/// | option | meaning | unless given |
/// |---|---|---|
/// | `gid` | index of the GID that packets come from | the one that reaches farthest |
/// | `sge` | pieces of memory that a request may name | 4 |
/// | `inline` | bytes that a request may carry in itself, if the device can | 128 |
public final class IbvProvider implements DeviceProvider {
    private static final System.Logger LOG = System.getLogger(IbvProvider.class.getName());

    /// Called by the service loader.
    public IbvProvider() {}

    @Override
    public String scheme() {
        return "ibverbs";
    }

    @Override
    public Device open(URI uri) {
        IbvSettings settings = IbvSettings.parse(uri);
        String absence = Verbs.absence();
        if (!absence.isEmpty()) {
            throw new NoDeviceException(
                    "device " + uri, absence, "or use roce://ADDRESS, which needs nothing");
        }
        return IbvDevice.open(RdmaStack.ofThisMachine(), settings);
    }

    @Override
    public List<URI> available() {
        String absence = Verbs.absence();
        if (!absence.isEmpty()) {
            LOG.log(Level.DEBUG, "no device: {0}", absence);
            return List.of();
        }
        return DeviceNames.all(Verbs.ofThisMachine()).stream()
                .map(name -> URI.create("ibverbs://" + name))
                .toList();
    }
}
