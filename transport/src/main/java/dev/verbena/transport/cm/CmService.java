package dev.verbena.transport.cm;

import dev.verbena.wire.mad.CmReq;
import org.jspecify.annotations.Nullable;

/// Who listens.
public interface CmService {
    /// Somebody wants to connect. The answer is [CmConnection#accept] or [CmConnection#reject], now
    /// or later.
    ///
    /// @return who uses the connection, or null when there is no room for it
    @Nullable CmUser requested(CmConnection connection, CmReq request);
}
