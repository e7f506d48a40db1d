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

/// The passive side: takes whoever comes, until nobody has been there for a while.
final class Server {
    private static final int GUESTS_MAX = 64;
    private static final int IDS_PER_GUEST = 16;
    private static final long ALONE_NS = 20_000_000_000L;

    private final Map<Long, Guest> guests = new LinkedHashMap<>();
    private final Diary diary;
    private final ProtectionDomain domain;
    private final CompletionQueue completions;
    private long nextGuest;

    private Server(Device device, Diary diary) {
        this.diary = diary;
        domain = device.protectionDomain();
        completions = device.completionQueue(GUESTS_MAX * IDS_PER_GUEST);
    }

    /// Returns whether all was right.
    static boolean run(String uri, Path file) throws IOException {
        try (Device device = Devices.open(uri);
                Diary diary = new Diary(device, file);
                Listener listener = device.listen(Terms.PORT, GUESTS_MAX)) {
            new Server(device, diary).serve(listener);
            return diary.isRight();
        }
    }

    private void serve(Listener listener) throws IOException {
        long aloneNs = System.nanoTime();
        while (System.nanoTime() - aloneNs < ALONE_NS) {
            ConnectionRequest request = guests.size() < GUESTS_MAX ? listener.poll() : null;
            if (request != null) {
                long number = nextGuest++;
                long id = number * IDS_PER_GUEST;
                guests.put(number, new Guest(id, diary, domain, completions, request));
            }
            completions.await(Terms.PATIENCE, this::completed);
            for (Iterator<Guest> each = guests.values().iterator(); each.hasNext(); ) {
                Guest guest = each.next();
                if (guest.isOver()) {
                    each.remove();
                    guest.close();
                }
            }
            if (!guests.isEmpty()) {
                aloneNs = System.nanoTime();
            }
            diary.look();
        }
    }

    private void completed(Completion done) {
        Guest guest = guests.get(done.id() / IDS_PER_GUEST);
        if (guest != null) { // else it has left, and these were its last receives
            guest.completed(done);
        }
    }
}
