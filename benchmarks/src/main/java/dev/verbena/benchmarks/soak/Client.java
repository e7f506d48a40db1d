package dev.verbena.benchmarks.soak;

import dev.verbena.verbs.Address;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.ProtectionDomain;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// The active side: as many connections at a time as there are lanes, one after another in each.
final class Client {
    private static final int LANES = 8;
    private static final int IDS_PER_LANE = 16;

    /// How long the last connections may take to end.
    private static final Duration END = Duration.ofSeconds(60);

    private final Device device;
    private final ProgressLog log;
    private final Address peer;
    private final SplittableRandom random;
    private final ProtectionDomain domain;
    private final CompletionQueue completions;
    private final @Nullable Lane[] lanes = new Lane[LANES];
    private final long[] ids = new long[LANES];
    private long made;

    private Client(Device device, ProgressLog log, Address peer, long seed) {
        this.device = device;
        this.log = log;
        this.peer = peer;
        random = new SplittableRandom(seed);
        domain = device.protectionDomain();
        completions = device.completionQueue(4 * LANES * IDS_PER_LANE);
    }

    /// Returns whether all was right.
    static boolean run(String uri, String server, Duration time, long seed, Path file)
            throws IOException {
        try (Device device = Devices.open(uri);
                ProgressLog log = new ProgressLog(device, file)) {
            new Client(device, log, Address.to(Gid.parse(server)), seed).run(time);
            return log.isRight();
        }
    }

    private void run(Duration time) throws IOException {
        long endNs = System.nanoTime() + time.toNanos();
        boolean isBusy = true;
        while (isBusy) {
            boolean goesOn = System.nanoTime() < endNs;
            isBusy = goesOn;
            for (int i = 0; i < LANES; i++) {
                Lane lane = lanes[i];
                if (lane != null && lane.isOver()) {
                    lane.close();
                    lanes[i] = null;
                }
                if (lanes[i] == null && goesOn) {
                    ids[i] = made++ * LANES + i;
                    lanes[i] = begin(ids[i] * IDS_PER_LANE);
                }
                if (lanes[i] != null) {
                    lanes[i].advance();
                    isBusy = true;
                }
            }
            completions.await(SoakSettings.PATIENCE, this::completed);
            log.look();
            if (System.nanoTime() - endNs > END.toNanos()) {
                log.wrong("the last connections do not end");
                return;
            }
        }
    }

    private Lane begin(long id) {
        return new Lane(id, log, random.split(), device, domain, completions, peer);
    }

    private void completed(Completion done) {
        long id = done.id() / IDS_PER_LANE;
        int index = (int) (id % LANES);
        Lane lane = lanes[index];
        if (lane != null && ids[index] == id) {
            lane.completed(done);
        }
    }
}
