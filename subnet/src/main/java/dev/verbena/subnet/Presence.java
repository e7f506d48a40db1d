package dev.verbena.subnet;

import dev.verbena.subnet.admin.SubnetView;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongConsumer;

/// Which ports were there when the last round ended, to find those that came and went.
final class Presence {
    private Set<Long> known = new HashSet<>();

    /// Compares with the ports that are there now.
    void update(SubnetView view, LongConsumer came, LongConsumer went) {
        Set<Long> now = new HashSet<>();
        for (int vertex = 0; vertex < view.vertices(); vertex++) {
            if (view.isPresent(vertex)) {
                now.add(view.guid(vertex));
            }
        }
        Set<Long> before = known;
        known = now;
        now.stream().filter(it -> !before.contains(it)).sorted().forEach(came::accept);
        before.stream().filter(it -> !now.contains(it)).sorted().forEach(went::accept);
    }
}
