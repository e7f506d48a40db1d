package dev.verbena.plan;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What has to be bought: switches, cables, transceivers; watts and prices where the catalogue has
/// figures that count.
///
/// @param switches how many of each model
/// @param typicalWatts of all switches, or null where a figure of the maker is missing
/// @param maxWatts the same at most
/// @param price of all switches, or null where a dated figure is missing
/// @param notCounted what watts and prices leave out, by name
public record Bill(
        Map<SwitchModel, Integer> switches,
        List<CableLine> cables,
        Optional<NicModel> nic,
        int nics,
        @Nullable Amount typicalWatts,
        @Nullable Amount maxWatts,
        @Nullable Amount price,
        List<String> notCounted) {

    /// A sum of figures.
    ///
    /// @param sources of the figures
    public record Amount(double low, double high, Set<Figure> sources) {}

    static Bill of(
            Network network,
            Inputs inputs,
            Catalog catalog,
            List<SwitchModel> models,
            List<Sized> planes) {
        Map<SwitchModel, Integer> switches = new LinkedHashMap<>();
        for (Sized plane : planes) {
            switches.merge(models.get(0), plane.leaves(), Integer::sum);
            if (plane.spines() > 0) {
                switches.merge(models.get(1), plane.spinesInAll(), Integer::sum);
            }
            if (plane.cores() > 0) {
                switches.merge(models.get(2), plane.cores(), Integer::sum);
            }
        }
        List<CableLine> cables = new CableCount(inputs, catalog, models, planes).lines();
        Optional<NicModel> nic = catalog.nic(network, inputs.rate());
        int nics = inputs.cluster().nodes() * inputs.cluster().nicsPerNode();
        List<String> missing = new ArrayList<>();
        Amount typical = sum(switches, SwitchModel::typicalWatts, Figure::isVendors);
        Amount most = sum(switches, SwitchModel::maxWatts, Figure::isVendors);
        Amount price = sum(switches, SwitchModel::priceUsd, Figure::isDated);
        for (SwitchModel model : switches.keySet()) {
            name(missing, "typical watts of switch " + model.name(), model.typicalWatts(), true);
            name(missing, "highest watts of switch " + model.name(), model.maxWatts(), true);
            name(missing, "price of switch " + model.name(), model.priceUsd(), false);
        }
        Set<Medium> media = new LinkedHashSet<>();
        cables.forEach(line -> line.medium().ifPresent(media::add));
        for (Medium medium : media) {
            String ends = medium.isOptical() ? "transceivers " : "cables ";
            name(missing, "watts of " + ends + medium.name(), medium.wattsPerEnd(), true);
            name(missing, "price of " + ends + medium.name(), medium.priceUsd(), false);
        }
        String nics1 = nic.map(it -> "NIC " + it.name()).orElse("NICs at this rate");
        name(missing, "watts of " + nics1, nic.map(NicModel::typicalWatts).orElse(null), true);
        name(missing, "price of " + nics1, nic.map(NicModel::priceUsd).orElse(null), false);
        return new Bill(switches, cables, nic, nics, typical, most, price, missing);
    }

    /// Of what is not counted, why: no figure, or one that does not count.
    private static void name(
            List<String> missing, String what, @Nullable Figure figure, boolean watts) {
        if (figure == null) {
            missing.add(what + ": no figure");
        } else if (watts && !figure.isVendors()) {
            missing.add("%s: %s is not the maker's figure".formatted(what, figure));
        } else if (!watts && !figure.isDated()) {
            missing.add("%s: %s has no date".formatted(what, figure));
        }
    }

    private static @Nullable Amount sum(
            Map<SwitchModel, Integer> switches,
            Function<SwitchModel, @Nullable Figure> of,
            Function<Figure, Boolean> counts) {
        double low = 0;
        double high = 0;
        Set<Figure> sources = new LinkedHashSet<>();
        for (Map.Entry<SwitchModel, Integer> entry : switches.entrySet()) {
            Figure figure = of.apply(entry.getKey());
            if (figure == null || !counts.apply(figure)) {
                return null;
            }
            low += figure.low() * entry.getValue();
            high += figure.high() * entry.getValue();
            sources.add(figure);
        }
        return new Amount(low, high, sources);
    }

    /// Transceivers of all cables.
    public int transceivers() {
        return cables.stream().mapToInt(CableLine::transceivers).sum();
    }
}
