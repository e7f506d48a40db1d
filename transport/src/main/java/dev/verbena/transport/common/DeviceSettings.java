package dev.verbena.transport.common;

import dev.verbena.transport.carrier.CongestionSettings;
import dev.verbena.transport.carrier.Driver;
import dev.verbena.transport.carrier.Guard;
import dev.verbena.transport.carrier.PortSettings;
import dev.verbena.transport.carrier.PriorityMap;
import dev.verbena.transport.cm.CmSettings;
import dev.verbena.transport.control.ControlChoice;
import dev.verbena.verbs.DeviceLimits;
import dev.verbena.wire.Psn;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The options of a device, as its parts read them; [dev.verbena.transport.TransportOptions] says
/// what each means.
public final class DeviceSettings implements Cloneable {
    public final RandomGenerator random;
    public final Driver driver;
    public String name = "transport0";
    public DeviceLimits limits;

    /// Where a part finds the port's address, state and keys: they change while the device lives.
    public PortTable port = new PortTable(PortSettings.DEFAULT);

    public int queuePairPrefix;
    public int queuePairPrefixBits;

    /// Shared by devices that work inside each other's calls.
    public Notices notices = new Notices();

    public int windowPackets = 1024;
    public int windowInAll = Integer.MAX_VALUE;
    public int readPackets = Psn.MASK / 2;
    public int ackRequestEvery = 64;
    public boolean followsPeers;
    public boolean selectiveRepeat;
    public int reorder;
    public int ackEvery = 1;
    public long ackDelayNs;
    public boolean acknowledgesEach;
    public int burstBytes = 1;
    public long postDelayNs;
    public PriorityMap priorities = PriorityMap.BY_SERVICE_LEVEL;
    public int reads = 8;
    public boolean endToEndCredits = true;
    public boolean madeUpAddresses;
    public boolean carriesPhantoms;
    public Guard guard = Guard.NONE;
    public CmSettings connections = CmSettings.DEFAULT;
    public @Nullable CongestionSettings congestion;
    public @Nullable ControlChoice control;
    public long catchUpNs = 10_000;

    public DeviceSettings(RandomGenerator random, Driver driver, DeviceLimits limits) {
        this.random = random;
        this.driver = driver;
        this.limits = limits;
    }

    /// A copy that a program does not change any more.
    public DeviceSettings copy() {
        try {
            DeviceSettings copy = (DeviceSettings) clone();
            copy.port = new PortTable(port.now());
            return copy;
        } catch (CloneNotSupportedException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
