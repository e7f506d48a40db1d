package dev.verbena.subnet;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Which topmost switches each switch reaches by going up. Two switches have a route that goes up
/// and then down exactly if they have a topmost switch in common.
final class Ancestors {
    private final SwitchGraph graph;
    private final BitSet[] tops;

    Ancestors(SwitchGraph graph, Tiers tiers) {
        this.graph = graph;
        tops = new BitSet[graph.count()];
        for (int index : tiers.fromTheTop()) {
            BitSet own = new BitSet();
            boolean isTop = true;
            for (int link = graph.firstLink(index); link < graph.endLink(index); link++) {
                if (tiers.isUp(link)) {
                    own.or(tops[graph.to(link)]);
                    isTop = false;
                }
            }
            if (isTop) {
                own.set(index);
            }
            tops[index] = own;
        }
    }

    /// Names two switches with hosts that have no switch above both; empty if there are none.
    String gap() {
        Set<BitSet> seen = new HashSet<>();
        List<Integer> different = new ArrayList<>();
        for (int i = 0; i < graph.count(); i++) {
            if (graph.hasHosts(i) && graph.isPresent(i) && seen.add(tops[i])) {
                different.add(i);
            }
        }
        for (int i = 0; i < different.size(); i++) {
            for (int j = 0; j < i; j++) {
                int one = different.get(i);
                int other = different.get(j);
                if (!tops[one].intersects(tops[other])) {
                    return "no switch is above both %s and %s"
                            .formatted(graph.name(other), graph.name(one));
                }
            }
        }
        return "";
    }
}
