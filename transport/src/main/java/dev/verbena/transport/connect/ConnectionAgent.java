package dev.verbena.transport.connect;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.transport.carrier.ManagementAgent;
import dev.verbena.transport.carrier.ManagementOutlet;
import dev.verbena.transport.cm.CmMachine;
import dev.verbena.transport.cm.CmOutlet;
import dev.verbena.transport.common.Counters;
import dev.verbena.transport.common.DeviceSettings;
import dev.verbena.transport.manage.Management;
import dev.verbena.verbs.Address;
import dev.verbena.wire.mad.CmMad;
import dev.verbena.wire.mad.CmMessage;
import dev.verbena.wire.mad.Mad;
import dev.verbena.wire.mad.ManagementClass;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// The connection manager as an agent of queue pair 1.
final class ConnectionAgent implements ManagementAgent, CmOutlet {
    private final Counters counters;
    private final ManagementOutlet outlet;
    private final DeviceSettings settings;
    private @Nullable CmMachine machine;

    ConnectionAgent(DeviceSettings settings, Counters counters, Management management) {
        this.settings = settings;
        this.counters = counters;
        this.outlet = management.register(Management.GENERAL, ManagementClass.COMMUNICATION, this);
    }

    /// Made when it is first needed: most devices never manage a connection.
    CmMachine machine() {
        CmMachine known = machine;
        if (known == null) {
            known = new CmMachine(settings.connections, settings.random, this);
            known.numbersBeginWith(settings.queuePairPrefix, settings.queuePairPrefixBits);
            machine = known;
        }
        return known;
    }

    @Override
    public boolean handle(long nowNs, Address from, MemorySegment bytes, long at) {
        if (!CmMessage.check(bytes, at, Mad.LENGTH_TOTAL).isOk()) {
            return false;
        }
        switch (machine().handle(nowNs, from, CmMad.parse(bytes, at))) {
            case TAKEN -> {}
            case REFUSED -> counters.add(Counter.REFUSED_MANAGEMENT);
            case REPEATED -> counters.add(Counter.REPEATED_MANAGEMENT);
            case STRAY -> counters.add(Counter.STRAY_MANAGEMENT);
        }
        return true;
    }

    @Override
    public long pollTimeout() {
        return machine == null ? Long.MAX_VALUE : machine.pollTimeout();
    }

    @Override
    public void handleTimeout(long nowNs) {
        machine().handleTimeout(nowNs);
    }

    @Override
    public void send(Address to, CmMad message) {
        outlet.send(to, bytes -> message.emit(bytes, 0));
    }
}
