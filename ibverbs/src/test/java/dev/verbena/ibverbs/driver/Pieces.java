package dev.verbena.ibverbs.driver;

import dev.verbena.verbs.ReceiveBatch;

/// Pieces of memory of requests, and receive requests, which have nothing else.
final class Pieces {
    private static final CStruct WR = Layouts.RECV_WR;

    private Pieces() {}

    /// The memory of a `struct ibv_sge`.
    static DriverRegion region(DriverDomain domain, long sge) {
        DriverRegion region = domain.regions.get(Layouts.SGE.getInt(sge, "lkey"));
        if (region == null) {
            throw new Refusal(Refusal.EINVAL);
        }
        return region;
    }

    /// Posts a `struct ibv_recv_wr`.
    static void receive(DriverDomain domain, WorkRing ring, ReceiveBatch batch, long at) {
        long id = WR.get(at, "wr_id");
        Posted posted = new Posted(ring, id);
        try {
            ring.requireRoom(id);
            ring.add(posted);
            batch.receive().id(posted.token);
            for (int i = 0; i < WR.getInt(at, "num_sge"); i++) {
                long sge = WR.get(at, "sg_list") + i * Layouts.SGE.size();
                DriverRegion region = region(domain, sge);
                posted.uses(region);
                batch.local(
                        region.region,
                        Layouts.SGE.get(sge, "addr") - region.base,
                        Layouts.SGE.get(sge, "length"));
            }
        } catch (RuntimeException refused) {
            ring.takeBack(posted);
            batch.abort();
            throw refused;
        }
        if (!batch.post()) {
            ring.takeBack(posted);
            throw new Refusal(Refusal.ENOMEM);
        }
    }
}
