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

    private final long[] packets = new long[Errno.COUNT];
    private long packetsInAll;

    private final Map<Gid, Integer> last =
            new LinkedHashMap<>() {
                @Override
                protected boolean removeEldestEntry(Map.Entry<Gid, Integer> eldest) {
                    return size() > PEERS_MAX;
                }
            };

    /// The system refused packets of this way.
    void refused(Way way, int errno, int count) {
        packets[Math.clamp(errno, 0, Errno.COUNT - 1)] += count;
        packetsInAll += count;
        if (way.errno != errno) {
            way.errno = errno;
            last.put(way.gid(), errno);
        }
    }

    /// The system took packets of this way.
    void taken(Way way) {
        if (way.errno != 0) {
            way.errno = 0;
            last.remove(way.gid());
        }
    }

    /// Why the last packet to this peer did not leave; 0 when it did.
    int of(Gid peer) {
        return last.getOrDefault(peer, 0);
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
