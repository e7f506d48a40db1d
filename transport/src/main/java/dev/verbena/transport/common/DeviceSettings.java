package dev.verbena.transport.common;

import dev.verbena.transport.carrier.CongestionSettings;
import dev.verbena.transport.carrier.Driver;
import dev.verbena.transport.carrier.Guard;
import dev.verbena.transport.carrier.PriorityMap;
import dev.verbena.transport.cm.CmSettings;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.DeviceLimits;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.PortAttributes;
import dev.verbena.verbs.PortState;
import dev.verbena.wire.Psn;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The options of a device, as its parts read them; [dev.verbena.transport.TransportOptions] says
/// what each means.
public final class DeviceSettings implements Cloneable {
    public final RandomGenerator random;
    public final Driver driver;
    public String name = "transport0";
    public DeviceLimits limits;
    public PortAttributes port =
            new PortAttributes(1, PortState.ACTIVE, LinkLayer.ETHERNET, 0, 4096, 4096, 0);
    public List<Gid> gids = List.of(Gid.NONE);
    public List<Integer> partitionKeys = List.of(0xFFFF);
    public int udpPort = Address.ROCE_PORT;
    public int queuePairPrefix;
    public int queuePairPrefixBits;

    /// Shared by devices that work inside each other's calls.
    public Notices notices = new Notices();

    public int windowPackets = 1024;
    public int windowInAll = Integer.MAX_VALUE;
    public int readPackets = Psn.MASK / 2;
    public int ackRequestEvery = 64;
    public boolean followsPeers;
    public int ackEvery = 1;
    public long ackDelayNs;
    public boolean acknowledgesEach;
    public int burstBytes = 1;
    public PriorityMap priorities = PriorityMap.BY_SERVICE_LEVEL;
    public int reads = 8;
    public boolean endToEndCredits = true;
    public boolean madeUpAddresses;
    public boolean carriesPhantoms;
    public Guard guard = Guard.NONE;
    public CmSettings connections = CmSettings.DEFAULT;
    public @Nullable CongestionSettings congestion;
    public long catchUpNs = 10_000;

    public DeviceSettings(RandomGenerator random, Driver driver, DeviceLimits limits) {
        this.random = random;
        this.driver = driver;
        this.limits = limits;
    }

    /// A copy that a program does not change any more.
    public DeviceSettings copy() {
        try {
            return (DeviceSettings) clone();
        } catch (CloneNotSupportedException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
