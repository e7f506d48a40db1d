package dev.verbena.transport.cm;

import dev.verbena.wire.mad.CmSidrRep;

/// The sender of a resolution request. It gets exactly one call.
public interface SidrAsker {
    /// The peer replied; the status of the reply shows whether it names a queue pair.
    void answered(CmSidrRep reply);

    /// The peer did not reply to any attempt.
    void unanswered();
}
