package dev.verbena.transport.cm;

import dev.verbena.wire.mad.CmSidrRep;

/// Who asked. Told once, and nothing after.
public interface SidrAsker {
    /// The peer said something; whether it is a queue pair, its status tells.
    void answered(CmSidrRep reply);

    /// Nobody answered, however often it was asked.
    void unanswered();
}
