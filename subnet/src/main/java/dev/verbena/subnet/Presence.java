package dev.verbena.subnet;

import dev.verbena.subnet.admin.SubnetView;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongConsumer;

/// Which ports were there when the last round ended, to find those that came and went.
final class Presence {
    private Set<Long> known;

    /// Whether some of them were met by an earlier manager only.
    private boolean areOfOthers;

    /// @param known ports that an earlier manager knew
    Presence(Collection<Long> known) {
        this.known = new HashSet<>(known);
        areOfOthers = !known.isEmpty();
    }

    /// Compares with the ports that are there now.
    ///
    /// @param isSure whether all that were asked have answered: a port that this manager has not
    ///   met yet may be silent for a moment, and must not lose what it asked for
    void update(SubnetView view, boolean isSure, LongConsumer came, LongConsumer went) {
        Set<Long> now = new HashSet<>();
        for (int vertex = 0; vertex < view.vertices(); vertex++) {
            if (view.isPresent(vertex)) {
                now.add(view.guid(vertex));
            }
        }
        Set<Long> before = known;
        if (now.size() <= 1 && before.size() > 1) {
            // It is the manager's own cable that is out: others may well be there, and keep theirs.
            return;
        }
        known = now;
        if (areOfOthers && !isSure) {
            known = new HashSet<>(now);
            known.addAll(before);
        }
        areOfOthers &= !isSure;
        now.stream().filter(it -> !before.contains(it)).sorted().forEach(came::accept);
        Set<Long> left = known;
        before.stream().filter(it -> !left.contains(it)).sorted().forEach(went::accept);
    }
}
