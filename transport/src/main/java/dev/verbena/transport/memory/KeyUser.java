package dev.verbena.transport.memory;

import dev.verbena.verbs.ProtectionDomain;

/// On whose behalf memory is reached by its key: a queue pair, for its peer.
public interface KeyUser {
    ProtectionDomain domain();

    boolean isClosed();
}
