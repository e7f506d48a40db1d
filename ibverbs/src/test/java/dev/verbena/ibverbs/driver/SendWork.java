package dev.verbena.ibverbs.driver;

import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.SendBatch;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// A `struct ibv_send_wr`, posted to a queue pair of the transport.
final class SendWork {
    private static final CStruct WR = Layouts.SEND_WR;
    private static final int FENCE = 1;
    private static final int SIGNALED = 2;
    private static final int SOLICITED = 4;
    private static final int INLINE = 8;

    private final DriverPair pair;
    private final InProcessDriver driver;
    private final long at;
    private final Posted posted;

    private SendWork(DriverPair pair, long at) {
        this.pair = pair;
        this.driver = pair.driver;
        this.at = at;
        this.posted = new Posted(pair.sends, WR.get(at, "wr_id"));
    }

    static void post(DriverPair pair, long at) {
        Refusal.unless(pair.state().takesSends(), Refusal.EINVAL);
        pair.sends.requireRoom(WR.get(at, "wr_id"));
        SendWork work = new SendWork(pair, at);
        pair.sends.add(work.posted);
        try {
            work.fill();
        } catch (RuntimeException refused) {
            pair.sends.takeBack(work.posted);
            throw refused;
        }
    }

    private void fill() {
        SendBatch batch = pair.pair.sends();
        try {
            begin(batch);
            int flags = WR.getInt(at, "send_flags");
            if ((flags & INLINE) != 0) {
                inline(batch);
            } else {
                pieces(batch);
            }
            batch.id(posted.token);
            if ((flags & FENCE) != 0) {
                batch.fence();
            }
            if ((flags & SIGNALED) != 0) {
                batch.signaled();
            }
            if ((flags & SOLICITED) != 0) {
                batch.solicited();
            }
        } catch (RuntimeException refused) {
            batch.abort();
            throw refused;
        }
        Refusal.unless(batch.post(), Refusal.ENOMEM);
    }

    private void begin(SendBatch batch) {
        long remote = WR.get(at, "remote_addr");
        int key = driver.wireKey(WR.getInt(at, "rkey"));
        int atomicKey = driver.wireKey(WR.getInt(at, "atomic_rkey"));
        int immediate = Integer.reverseBytes(WR.getInt(at, "imm_data"));
        int ended = driver.wireKey(WR.getInt(at, "imm_data"));
        long operand = WR.get(at, "compare_add");
        switch (WR.getInt(at, "opcode")) {
            case 0 -> batch.write(remote, key);
            case 1 -> batch.writeImmediate(remote, key, immediate);
            case 2 -> batch.send();
            case 3 -> batch.sendImmediate(immediate);
            case 4 -> batch.read(remote, key);
            case 5 -> batch.compareAndSwap(remote, atomicKey, operand, WR.get(at, "swap"));
            case 6 -> batch.fetchAndAdd(remote, atomicKey, operand);
            case 7 -> batch.localInvalidate(ended);
            case 8 -> bind(batch);
            case 9 -> batch.sendInvalidate(ended);
            default -> throw new Refusal(Refusal.EINVAL);
        }
        if (pair.pair.type() == QueuePairType.UD) {
            DriverHandle way = driver.find(DriverHandle.class, WR.get(at, "ah"));
            posted.uses(way);
            batch.to(way.handle, WR.getInt(at, "remote_qpn"), WR.getInt(at, "remote_qkey"));
        }
    }

    private void bind(SendBatch batch) {
        DriverWindow window = driver.find(DriverWindow.class, WR.get(at, "mw"));
        DriverRegion region = driver.find(DriverRegion.class, WR.get(at, "mr"));
        Refusal.unless(window.isCurrent(), Refusal.EINVAL);
        posted.uses(region);
        batch.bind(
                window.window,
                region.region,
                WR.get(at, "mw_addr") - region.base,
                WR.get(at, "mw_length"),
                DriverRegion.rights(WR.getInt(at, "mw_access_flags")));
        window.bound(region, pair, WR.getInt(at, "mw_rkey"));
    }

    private void pieces(SendBatch batch) {
        for (int i = 0; i < WR.getInt(at, "num_sge"); i++) {
            long sge = WR.get(at, "sg_list") + i * Layouts.SGE.size();
            DriverRegion region = Pieces.region(pair.domain, sge);
            posted.uses(region);
            batch.local(
                    region.region,
                    Layouts.SGE.get(sge, "addr") - region.base,
                    Layouts.SGE.get(sge, "length"));
        }
    }

    private void inline(SendBatch batch) {
        long total = 0;
        int count = WR.getInt(at, "num_sge");
        for (int i = 0; i < count; i++) {
            total += Layouts.SGE.get(WR.get(at, "sg_list") + i * Layouts.SGE.size(), "length");
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocate(Math.max(1, total));
            long done = 0;
            for (int i = 0; i < count; i++) {
                long sge = WR.get(at, "sg_list") + i * Layouts.SGE.size();
                long length = Layouts.SGE.get(sge, "length");
                MemorySegment.copy(
                        CStruct.memory(Layouts.SGE.get(sge, "addr"), length),
                        0,
                        bytes,
                        done,
                        length);
                done += length;
            }
            batch.inline(bytes, 0, total);
        }
    }
}
