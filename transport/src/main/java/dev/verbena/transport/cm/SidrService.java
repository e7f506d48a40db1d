package dev.verbena.transport.cm;

import dev.verbena.wire.mad.CmSidrReq;

/// Who answers for a service.
public interface SidrService {
    /// Somebody asks. The answer is [SidrInquiry#accept] or [SidrInquiry#reject], now or later.
    ///
    /// @return false when there is no room for it
    boolean asked(SidrInquiry inquiry, CmSidrReq request);

    /// An inquiry that was not answered has become too old.
    void withdrawn(SidrInquiry inquiry);
}
