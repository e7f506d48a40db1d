package dev.verbena.simulation;

import dev.verbena.fabric.Fabric;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.baton.BatonScheduler;
import java.time.Duration;

/// The host on which a program runs.
public final class Host {
    private final Fabric fabric;
    private final String fabricName;
    private final BatonScheduler scheduler;
    private final int number;

    Host(Fabric fabric, String fabricName, BatonScheduler scheduler, int number) {
        this.fabric = fabric;
        this.fabricName = fabricName;
        this.scheduler = scheduler;
        this.number = number;
    }

    /// Its number among the hosts of the fabric, from 0.
    public int number() {
        return number;
    }

    public String name() {
        return fabric.topology().hostName(number);
    }

    /// The number of hosts.
    public int hosts() {
        return fabric.topology().hosts();
    }

    /// The URI of its device, or of that of another host.
    public String uri(int host) {
        return "fabric://" + fabricName + "/" + fabric.topology().hostName(host).replace(' ', '-');
    }

    /// Opens its device, as `Devices.open(uri)` does. The program closes it.
    public Device open() {
        return Devices.open(uri(number));
    }

    /// The virtual time, in nanoseconds.
    public long nowNs() {
        return scheduler.nowNs();
    }

    /// Lets virtual time pass. `Thread.sleep` would let real time pass, and all other programs
    /// wait.
    public void sleep(Duration time) {
        scheduler.sleep(time);
    }

    @Override
    public String toString() {
        return name();
    }
}
