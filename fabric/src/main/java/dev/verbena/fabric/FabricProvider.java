package dev.verbena.fabric;

import dev.verbena.verbs.Device;
import dev.verbena.verbs.spi.DeviceProvider;
import java.net.URI;
import java.util.List;

/// Opens `fabric://FABRIC/HOST`: the device of a host of a simulated fabric.
///
/// The host is the name that the topology gives it, with dashes for blanks: `host-7`. The fabric is
/// one that the program has [registered][Fabrics#register], or one that the parameters of the first
/// URI describe:
///
/// | parameter | meaning | unless given |
/// |---|---|---|
/// | `hosts` | number of hosts | `topology` must be given |
/// | `topology` | a file in the form of `ibnetdiscover` | a tree of switches |
/// | `tiers` | tiers of the tree: 1, 2 or 3 | the fewest with room for the hosts |
/// | `radix` | ports of a switch of the tree | 64 |
/// | `oversubscription` | hosts of a leaf for each of its uplinks, at most | 1 |
/// | `chain` | number of switches in a row, instead of a tree | no chain |
/// | `kind` | `roce` or `ib` | `roce` |
/// | `rate` | link rate in Gb/s | 400 |
/// | `length` | cable length in metres | 100 |
/// | `mtu` | largest payload of a packet | 4096 |
/// | `nic` | `ideal` or `adapter` | `ideal` |
/// | `seed` | seed of all random choices | 1 |
///
/// The first device decides, later ones leave the parameters out or say the same. When its last
/// device is closed, a fabric that a URI described is forgotten, so that the same URIs give the
/// same run again. A registered fabric lasts until its registration is closed.
///
/// Fabrics may be used on different threads at the same time; each by one, or by threads that pass
/// a [baton][dev.verbena.verbs.spi.Baton].
public final class FabricProvider implements DeviceProvider {
    static final String SCHEME = "fabric";

    /// Called by the service loader.
    public FabricProvider() {}

    @Override
    public String scheme() {
        return SCHEME;
    }

    @Override
    public Device open(URI uri) {
        return Fabrics.open(FabricUri.of(uri));
    }

    @Override
    public List<URI> available() {
        return Fabrics.available();
    }
}
