package dev.verbena.transport.cm;

import dev.verbena.wire.mad.CmReq;
import org.jspecify.annotations.Nullable;

/// A service that accepts connections.
public interface CmService {
    /// A peer requests a connection. The reply is [CmConnection#accept] or [CmConnection#reject],
    /// now or later.
    ///
    /// @return the user of the connection, or null when there is no room for it
    @Nullable CmUser requested(CmConnection connection, CmReq request);
}
