package dev.verbena.virtual;

import dev.verbena.verbs.Device;
import dev.verbena.verbs.NoDeviceException;
import dev.verbena.verbs.spi.DeviceProvider;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// Opens `virtual://NAME?network=…`: devices of networks in this process.
///
/// | parameter | meaning | unless given |
/// |---|---|---|
/// | `network` | which network; any name | `virtual` |
/// | `seed` | decides everything that looks like chance | 1 |
/// | `loss`, `duplicate`, `reorder`, `corrupt` | probability for each packet, 0 to 1 | 0 |
/// | `delay` | how long a packet takes: `500ns`, `2us`, `1ms` | `1us` |
/// | `recovery` | `goback`, or `selective`: repeats only what is lost | `goback` |
/// | `pcap` | a file for all frames; pcapng when the name ends so, else pcap | none |
///
/// They belong to the network: the first device decides, later ones leave them out or say the same.
/// When its last device is closed the network is forgotten, so that the same URIs give the same run
/// again.
///
/// Networks may be used on different threads at the same time; each by one, or by threads that pass
/// a [baton][dev.verbena.verbs.spi.Baton].
public final class VirtualProvider implements DeviceProvider {
    private static final Pattern NAME = Pattern.compile("[\\w.-]{1,64}");

    /// A network and the parameters of its first device.
    private record Known(NetworkQuery query, VirtualNetwork network) {}

    private static final Map<String, Known> NETWORKS = new HashMap<>();

    /// Called by the service loader.
    public VirtualProvider() {}

    @Override
    public String scheme() {
        return "virtual";
    }

    @Override
    public Device open(URI uri) {
        String name = uri.getAuthority();
        if (name == null || !NAME.matcher(name).matches()) {
            throw new NoDeviceException(
                    "device " + uri,
                    name == null ? "it has no name" : "'" + name + "' is no name for a device",
                    "write it as virtual://left, with letters, digits, '.', '_' and '-'");
        }
        NetworkQuery query = NetworkQuery.of(uri);
        synchronized (NETWORKS) {
            Known known = NETWORKS.get(query.network());
            if (known == null) {
                known = new Known(query, create(query));
            } else {
                query.requireFits(known.query);
            }
            boolean isSelective = known.query.isSelective();
            Device device = known.network.open(name, o -> o.selectiveRepeat(isSelective));
            // Only now: a network whose first device does not open never was.
            NETWORKS.put(query.network(), known);
            return device;
        }
    }

    private static VirtualNetwork create(NetworkQuery query) {
        VirtualNetwork network = new VirtualNetwork(query.settings());
        if (!query.pcap().isEmpty()) {
            network.capture(CaptureFile.create(query.pcap()));
        }
        network.whenEmpty(() -> forget(query.network(), network));
        return network;
    }

    private static void forget(String name, VirtualNetwork network) {
        synchronized (NETWORKS) {
            NETWORKS.remove(name);
        }
        network.close();
    }

    @Override
    public List<URI> available() {
        return List.of(URI.create("virtual://local"));
    }
}
