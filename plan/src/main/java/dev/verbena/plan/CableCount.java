package dev.verbena.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;

/// Counts cables, and the plugs at their ends: links that share a cage of a switch share a plug.
final class CableCount {
    private final Inputs inputs;
    private final Catalog catalog;
    private final List<SwitchModel> models;
    private final List<Sized> planes;

    CableCount(Inputs inputs, Catalog catalog, List<SwitchModel> models, List<Sized> planes) {
        this.inputs = inputs;
        this.catalog = catalog;
        this.models = models;
        this.planes = planes;
    }

    List<CableLine> lines() {
        List<CableLine> lines = new ArrayList<>();
        int nodes = sum(Sized::hosts);
        int managers = sum(Sized::managementLinks);
        int shares = models.get(0).linksPerCage(inputs.rate());
        lines.add(
                new CableLine(
                        managers == 0 ? "node to leaf" : "node, manager to leaf",
                        nodes + managers,
                        inputs.lengths().host(),
                        medium(inputs.lengths().host()),
                        sum(this::downPlugs),
                        nodeEnds(nodes) + managers,
                        shares));
        if (sum(Sized::leafCables) > 0) {
            boolean pair = planes.getFirst().isPair();
            lines.add(
                    new CableLine(
                            pair ? "switch to switch" : "leaf to spine",
                            sum(Sized::leafCables),
                            inputs.lengths().spine(),
                            medium(inputs.lengths().spine()),
                            sum(this::spinePlugs),
                            0,
                            shares));
        }
        if (sum(Sized::coreCables) > 0) {
            lines.add(
                    new CableLine(
                            "spine to core",
                            sum(Sized::coreCables),
                            inputs.lengths().core(),
                            medium(inputs.lengths().core()),
                            sum(this::corePlugs),
                            0,
                            models.get(1).linksPerCage(inputs.rate())));
        }
        return lines;
    }

    private int nodeEnds(int links) {
        return Math.ceilDiv(links, inputs.cluster().nicsPerCage());
    }

    private int sum(ToIntFunction<Sized> of) {
        return planes.stream().mapToInt(of).sum();
    }

    private Optional<Medium> medium(double metres) {
        return catalog.medium(inputs.rate(), metres);
    }

    private int plugs(int tier, int links) {
        return Math.ceilDiv(links, models.get(tier).linksPerCage(inputs.rate()));
    }

    private int downPlugs(Sized size) {
        int plugs = 0;
        for (int leaf = 0; leaf < size.leaves(); leaf++) {
            plugs += plugs(0, size.seating().down(leaf));
        }
        return plugs;
    }

    private int spinePlugs(Sized size) {
        int own = size.leaves() * plugs(0, size.uplinks());
        if (size.isPair()) {
            return own;
        }
        int plugs = own;
        for (int pod = 0; pod < size.pods(); pod++) {
            int leaves = Math.min(size.leavesPerPod(), size.leaves() - pod * size.leavesPerPod());
            int links = leaves * size.uplinks();
            for (int spine = 0; spine < size.spines(); spine++) {
                plugs += plugs(1, part(links, size.spines(), spine));
            }
        }
        return plugs;
    }

    private int corePlugs(Sized size) {
        int plugs = size.spinesInAll() * plugs(1, size.spineUplinks());
        int links = size.coreCables() / size.groups();
        for (int core = 0; core < size.coresPerGroup(); core++) {
            plugs += size.groups() * plugs(2, part(links, size.coresPerGroup(), core));
        }
        return plugs;
    }

    /// What the `i`-th of `parts` gets.
    private static int part(int all, int parts, int i) {
        return all / parts + (i < all % parts ? 1 : 0);
    }
}
