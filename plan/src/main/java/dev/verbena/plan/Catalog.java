package dev.verbena.plan;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Switches, cables and NICs that plans are made of, each number with its source.
public record Catalog(List<SwitchModel> switches, List<Medium> media, List<NicModel> nics) {
    private static final String FILE = "catalog.yaml";

    public Catalog {
        switches = List.copyOf(switches);
        media = List.copyOf(media);
        nics = List.copyOf(nics);
    }

    /// The catalogue that comes with Verbena.
    public static Catalog builtIn() {
        try (InputStream in = Catalog.class.getResourceAsStream(FILE)) {
            if (in == null) {
                throw new AssertionError(FILE + " is not in the module");
            }
            return parse(FILE, new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /// Reads a catalogue from YAML.
    ///
    /// @param file what errors call the text
    public static Catalog parse(String file, String text) {
        return CatalogReader.read(file, text);
    }

    /// With the things of another one before those of this one; a name that both have is the
    /// other's.
    public Catalog with(Catalog added) {
        return new Catalog(
                joined(added.switches, switches, SwitchModel::name),
                joined(added.media, media, Medium::name),
                joined(added.nics, nics, NicModel::name));
    }

    private static <T> List<T> joined(List<T> added, List<T> own, Function<T, String> name) {
        List<T> all = new ArrayList<>(added);
        List<String> names = added.stream().map(name).toList();
        own.stream().filter(thing -> !names.contains(name.apply(thing))).forEach(all::add);
        return all;
    }

    /// The first switch of a kind of network that has links at a rate.
    SwitchModel usualSwitch(Network network, int rate) {
        return switches.stream()
                .filter(model -> model.network() == network && model.hasRate(rate))
                .findFirst()
                .orElseThrow(
                        () ->
                                new PlanException(
                                        ("the catalogue has no %s switch at %d Gb/s: use %s,"
                                                        + " --radix N, or a catalogue of your own")
                                                .formatted(network.title(), rate, rates(network))));
    }

    private String rates(Network network) {
        return Texts.or(
                switches.stream()
                        .filter(model -> model.network() == network)
                        .flatMap(model -> model.ports().keySet().stream())
                        .distinct()
                        .sorted()
                        .toList());
    }

    SwitchModel switchNamed(Network network, String name) {
        return switches.stream()
                .filter(model -> model.network() == network && model.name().equals(name))
                .findFirst()
                .orElseThrow(
                        () ->
                                new PlanException(
                                        "switch \"%s\" is not in the catalogue for %s: use %s"
                                                .formatted(name, network.title(), names(network))));
    }

    private String names(Network network) {
        return Texts.or(
                switches.stream()
                        .filter(model -> model.network() == network)
                        .map(SwitchModel::name)
                        .toList());
    }

    boolean hasSwitch(Network network, String name) {
        return switches.stream()
                .anyMatch(model -> model.network() == network && model.name().equals(name));
    }

    /// The medium with the shortest reach that is enough.
    Optional<Medium> medium(int rate, double metres) {
        return media.stream().filter(it -> it.reaches(rate, metres)).findFirst();
    }

    /// The first NIC of a kind of network at a rate.
    Optional<NicModel> nic(Network network, int rate) {
        return nics.stream()
                .filter(it -> it.networks().contains(network) && it.rates().contains(rate))
                .findFirst();
    }
}
