package dev.verbena.transport;

import dev.verbena.transport.carrier.PortSettings;
import dev.verbena.transport.common.EventQueue;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.PortAttributes;

/// Puts other settings of the port in force, and tells programs what has changed.
final class PortChange {
    private PortChange() {}

    static void make(Engine engine, PortSettings before, PortSettings after) {
        requireSamePort(engine, before.attributes(), after.attributes());
        engine.settings.driver.portChanges(before, after);
        engine.settings.port.set(after);
        boolean hasOtherLids =
                before.attributes().lid() != after.attributes().lid()
                        || before.lidMask() != after.lidMask();
        if (hasOtherLids) {
            tell(engine, AsyncEvent.Type.LID_CHANGE, "has lid " + after.attributes().lid());
        }
        if (!before.gids().equals(after.gids())) {
            engine.paths.renew();
            tell(engine, AsyncEvent.Type.GID_CHANGE, "has gid " + after.gids().getFirst());
        }
        if (!before.partitionKeys().equals(after.partitionKeys())) {
            engine.pairs.renewPartitions(after);
            tell(engine, AsyncEvent.Type.PARTITION_KEY_CHANGE, "has other partition keys");
        }
        if (before.isActive() != after.isActive()) {
            AsyncEvent.Type type =
                    after.isActive() ? AsyncEvent.Type.PORT_ACTIVE : AsyncEvent.Type.PORT_ERROR;
            tell(engine, type, "is " + after.attributes().state());
        }
    }

    /// Queue pairs, batches and carriers have counted on these.
    private static void requireSamePort(Engine engine, PortAttributes before, PortAttributes now) {
        boolean isSame =
                before.number() == now.number()
                        && before.linkLayer() == now.linkLayer()
                        && before.maxMtu() == now.maxMtu()
                        && before.activeMtu() == now.activeMtu();
        if (!isSame) {
            throw new InvalidRequestException(
                    engine.settings.name,
                    "number, link layer and mtu of a port stay",
                    "open another device for them");
        }
    }

    private static void tell(Engine engine, AsyncEvent.Type type, String what) {
        EventQueue events = engine.events;
        events.add(type, 1, engine.settings.name + " port 1 " + what);
    }
}
