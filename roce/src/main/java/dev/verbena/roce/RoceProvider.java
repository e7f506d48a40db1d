package dev.verbena.roce;

import dev.verbena.transport.TransportDevice;
import dev.verbena.transport.TransportOptions;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceLimits;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.NoDeviceException;
import dev.verbena.verbs.PortAttributes;
import dev.verbena.verbs.PortState;
import dev.verbena.verbs.spi.DeviceProvider;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/// Opens `roce://ADDRESS[:PORT]?…`: a device at an IP address of this machine.
///
/// | option | meaning | unless given |
/// |---|---|---|
/// | `progress` | `thread`: driven by a thread of its own; `caller`: by who polls | `thread` |
/// | `spin` | microseconds that a thread looks for packets before it sleeps, at most | 100 |
/// | `path` | `foreign`: Linux' system calls; `portable`: the JDK's channels | first that works |
/// | `share` | `on`: up to 15 devices at one address, also of other programs; `off`: one | `on` |
/// | `gso` | `on`: the kernel cuts trains up and puts them together; `off` | `on` |
/// | `rcvbuf` | bytes to ask for, as `SO_RCVBUF` counts them | 4194304 |
/// | `mtu` | 256 to 4096 | what the interface has room for |
/// | `window` | `adaptive`: follows what the peer can take; `fixed` | `adaptive` |
/// | `recovery` | `goback`; `selective`: offers to repeat only what is lost | `goback` |
/// | `ack` | `N,MICROS`: one acknowledgement for N requests, or after so long | `1,0` |
/// | `cc` | `published`, `production`: DCQCN, with `rp_max_rate` and others; `off` | `off` |
/// | `loss` | `P,SEED`: drops received packets with this probability: for tests only | 0 |
/// | `seed` | makes keys and numbers the same in every run: for tests only | none |
public final class RoceProvider implements DeviceProvider {
    private static final System.Logger LOG = System.getLogger(RoceProvider.class.getName());
    private static final int MTU_MAX = 4096;

    /// A thread that sleeps is woken so late now and then, where others have work as well.
    private static final Duration LATENESS = Duration.ofMillis(1);

    /// READs and atomics in flight toward a queue pair: over sockets an answer takes many times as
    /// long as a request, and short ones come no faster than so many in that time.
    private static final int READS = 64;

    /// Each costs a socket.
    private static final int GROUPS_MAX = 64;

    /// Called by the service loader.
    public RoceProvider() {}

    @Override
    public String scheme() {
        return "roce";
    }

    @Override
    public Device open(URI uri) {
        return open(RoceUri.parse(uri), options -> {});
    }

    @Override
    public List<URI> available() {
        return OwnAddresses.devices();
    }

    /// Opens a device; `changes` may set everything that its sockets do not decide.
    static TransportDevice open(RoceSettings settings, Consumer<TransportOptions> changes) {
        Link link = Link.of(settings.address());
        int mtu = mtu(settings, link);
        return open(settings, link, mtu, datagrams(settings, link), changes);
    }

    /// The same with sockets that are open; they are closed when the device cannot be made.
    static TransportDevice open(
            RoceSettings settings,
            Link link,
            int mtu,
            Datagrams datagrams,
            Consumer<TransportOptions> changes) {
        Carrier carrier =
                settings.thread()
                        ? new ThreadCarrier(settings, datagrams, link.scope())
                        : new CallerCarrier(settings, datagrams, link.scope());
        try {
            TransportOptions options = options(settings, carrier, mtu);
            changes.accept(options);
            options.carriesPhantoms(false);
            TransportDevice device = TransportDevice.create(options);
            LOG.log(Level.DEBUG, "{0}: {1}", settings.name(), carrier.description());
            carrier.start(device);
            Forgotten.watch(device, carrier);
            return device;
        } catch (RuntimeException | Error refused) {
            carrier.closed(); // its thread may run already
            throw refused;
        }
    }

    private static int mtu(RoceSettings settings, Link link) {
        if (settings.mtu() > link.mtu()) {
            throw new InvalidRequestException(
                    settings.name(),
                    "mtu=%d does not fit its interface, which has room for %d"
                            .formatted(settings.mtu(), link.mtu()),
                    "leave mtu out, or raise the interface's: 4096 needs 4192 (`ip link set mtu`)");
        }
        return settings.mtu() == 0 ? link.mtu() : settings.mtu();
    }

    private static Datagrams datagrams(RoceSettings settings, Link link) {
        boolean isPortableAsked = settings.path() == SocketPath.PORTABLE;
        String reason = isPortableAsked ? "path=portable asks for it" : NativeAccess.absence();
        if (reason.isEmpty()) {
            return new ForeignDatagrams(settings, link);
        }
        if (settings.path() == SocketPath.FOREIGN) {
            throw new NoDeviceException(
                    settings.name(),
                    "path=foreign cannot be had: " + reason,
                    "or leave path out, and the device uses the JDK's sockets");
        }
        if (settings.needsMarks()) {
            throw new InvalidRequestException(
                    settings.name(),
                    "the JDK's sockets show no congestion marks, and are used because " + reason,
                    "leave cc out, or see docs/roce.md for what path=foreign needs");
        }
        if (!isPortableAsked) {
            LOG.log(Level.INFO, "{0}: uses the JDK''s sockets: {1}", settings.name(), reason);
        }
        return new PortableDatagrams(settings, link, reason);
    }

    private static TransportOptions options(RoceSettings settings, Carrier carrier, int mtu) {
        RandomGenerator random =
                settings.seed().isPresent()
                        ? new SplittableRandom(settings.seed().getAsLong())
                        : new SecureRandom();
        Datagrams datagrams = carrier.datagrams;
        boolean countsOnTrains = settings.adaptive() && datagrams.trainMax() > 1;
        Pace pace = Pace.of(datagrams.receiveBufferBytes(), mtu, countsOnTrains);
        TransportOptions options = new TransportOptions(random, carrier);
        Forwarding forwarding = datagrams.forwarding();
        if (forwarding != null) {
            options.queuePairPrefix(forwarding.slot(), Steering.BITS);
        }
        if (settings.congestion() != null) {
            options.congestion(settings.congestion());
        }
        if (settings.control() != null) {
            options.control(settings.control());
        }
        return options.name(settings.name())
                .limits(limits())
                .gids(List.of(settings.address()))
                .udpPort(settings.port())
                .port(
                        new PortAttributes(
                                1, PortState.ACTIVE, LinkLayer.ETHERNET, 0, MTU_MAX, mtu, 0))
                .guard(carrier.lock)
                .windowPackets(pace.windowPackets())
                .windowInAll(pace.windowPackets())
                .ackRequestEvery(pace.ackRequestEvery())
                .readPackets(pace.ackRequestEvery())
                .reads(READS)
                .followsPeers(settings.adaptive())
                .selectiveRepeat(settings.selective())
                .burstBytes(pace.burstBytes())
                .acknowledge(settings.ackRequests(), settings.ackDelayNs())
                .catchUp(LATENESS);
    }

    private static DeviceLimits limits() {
        return TransportOptions.DEFAULT_LIMITS.toBuilder().multicastGroups(GROUPS_MAX).build();
    }
}
