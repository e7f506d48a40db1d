package dev.verbena.benchmarks.soak;

import dev.verbena.verbs.Completion;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.ConnectionRequest;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Listener;
import dev.verbena.verbs.ProtectionDomain;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/// The passive side: accepts every peer, until there was none for a while.
final class Server {
    private static final int GUESTS_MAX = 64;
    private static final int IDS_PER_GUEST = 16;
    private static final long ALONE_NS = 20_000_000_000L;

    private final Map<Long, ServedConnection> guests = new LinkedHashMap<>();
    private final ProgressLog log;
    private final ProtectionDomain domain;
    private final CompletionQueue completions;
    private long nextGuest;

    private Server(Device device, ProgressLog log) {
        this.log = log;
        domain = device.protectionDomain();
        completions = device.completionQueue(GUESTS_MAX * IDS_PER_GUEST);
    }

    /// Returns whether all was right.
    static boolean run(String uri, Path file) throws IOException {
        try (Device device = Devices.open(uri);
                ProgressLog log = new ProgressLog(device, file);
                Listener listener = device.listen(SoakSettings.PORT, GUESTS_MAX)) {
            System.out.println("listens"); // bin/soak waits for this line
            new Server(device, log).serve(listener);
            return log.isRight();
        }
    }

    private void serve(Listener listener) throws IOException {
        long aloneNs = System.nanoTime();
        while (System.nanoTime() - aloneNs < ALONE_NS) {
            ConnectionRequest request = guests.size() < GUESTS_MAX ? listener.poll() : null;
            if (request != null) {
                long number = nextGuest++;
                long id = number * IDS_PER_GUEST;
                guests.put(number, new ServedConnection(id, log, domain, completions, request));
            }
            completions.await(SoakSettings.PATIENCE, this::completed);
            for (Iterator<ServedConnection> each = guests.values().iterator(); each.hasNext(); ) {
                ServedConnection served = each.next();
                if (served.isOver()) {
                    each.remove();
                    served.close();
                }
            }
            if (!guests.isEmpty()) {
                aloneNs = System.nanoTime();
            }
            log.look();
        }
    }

    private void completed(Completion done) {
        ServedConnection served = guests.get(done.id() / IDS_PER_GUEST);
        if (served != null) { // else it has left, and these were its last receives
            served.completed(done);
        }
    }
}
