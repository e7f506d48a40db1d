package dev.verbena.transport.cm;

import dev.verbena.verbs.Address;
import dev.verbena.wire.mad.CmMad;

/// How a message leaves.
@FunctionalInterface
public interface CmOutlet {
    /// Sends a message, as well as it can be done: what is lost is sent again by the machine.
    void send(Address to, CmMad message);
}
