package dev.verbena.transport.cm;

import dev.verbena.verbs.Address;
import dev.verbena.wire.mad.CmMad;

/// How a message leaves.
@FunctionalInterface
public interface CmOutlet {
    /// Sends a message without a guarantee: the machine repeats lost messages.
    void send(Address to, CmMad message);
}
