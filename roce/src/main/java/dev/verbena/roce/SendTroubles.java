package dev.verbena.roce;

import dev.verbena.verbs.Gid;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;

/// Why packets did not leave: how many for each cause, and the last cause for each peer. The
/// trouble of one peer concerns those who send to it, and no others.
final class SendTroubles {
    /// Peers in trouble that are remembered; the oldest is forgotten for a new one.
    private static final int PEERS_MAX = 1024;

    /// How long a trouble may be the reason of a request that is given up: longer than the usual
    /// retries take. Small packets may leave where large ones do not, so that a packet that has
    /// left says nothing.
    private static final long RECENT_NS = 10_000_000_000L;

    private record Trouble(int errno, long atNs) {}

    private final long[] packets = new long[Errno.COUNT];
    private long packetsInAll;

    private final Map<Gid, Trouble> last =
            new LinkedHashMap<>() {
                @Override
                protected boolean removeEldestEntry(Map.Entry<Gid, Trouble> eldest) {
                    return size() > PEERS_MAX;
                }
            };

    /// The system refused packets to this peer.
    void refused(Gid peer, int errno, int count) {
        packets[Math.clamp(errno, 0, Errno.COUNT - 1)] += count;
        packetsInAll += count;
        if (!Errno.isPassing(errno)) {
            last.put(peer, new Trouble(errno, System.nanoTime()));
        }
    }

    /// Why packets to this peer did not leave of late; 0 when all did.
    int of(Gid peer) {
        Trouble known = last.get(peer);
        return known == null || System.nanoTime() - known.atNs > RECENT_NS ? 0 : known.errno;
    }

    long packets() {
        return packetsInAll;
    }

    /// One counter for each cause that was met.
    void countInto(SortedMap<String, Long> counts) {
        for (int errno = 0; errno < Errno.COUNT; errno++) {
            if (packets[errno] > 0) {
                String cause = Errno.name(errno).toLowerCase(Locale.ROOT);
                counts.put("socket_tx_lost_" + cause, packets[errno]);
            }
        }
    }
}
