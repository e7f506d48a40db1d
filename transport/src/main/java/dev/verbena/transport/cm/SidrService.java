package dev.verbena.transport.cm;

import dev.verbena.wire.mad.CmSidrReq;

/// A service that answers resolution requests.
public interface SidrService {
    /// A peer sends a request. The reply is [SidrInquiry#accept] or [SidrInquiry#reject], now or
    /// later.
    ///
    /// @return false when there is no room for it
    boolean asked(SidrInquiry inquiry, CmSidrReq request);

    /// An inquiry that was not answered has become too old.
    void withdrawn(SidrInquiry inquiry);
}
