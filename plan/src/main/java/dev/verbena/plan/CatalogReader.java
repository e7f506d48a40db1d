package dev.verbena.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/// Reads a catalogue from YAML.
final class CatalogReader {
    private static final int THINGS_MAX = 1000;
    private static final double NUMBER_MAX = 1e9;

    private final Yaml yaml;

    private CatalogReader(Yaml yaml) {
        this.yaml = yaml;
    }

    static Catalog read(String file, String text) {
        YamlMap root = Yaml.read(file, text);
        CatalogReader reader = new CatalogReader(root.yaml());
        List<SwitchModel> switches = reader.things(root, "switches", reader::switchModel);
        List<Medium> media = reader.things(root, "media", reader::medium);
        List<NicModel> nics = reader.things(root, "nics", reader::nic);
        root.finish();
        return new Catalog(switches, media, nics);
    }

    private <T> List<T> things(YamlMap root, String key, Function<YamlMap, T> one) {
        Node list = root.take(key);
        if (list == null) {
            return List.of();
        }
        List<Node> nodes = yaml.list(list);
        if (nodes.size() > THINGS_MAX) {
            throw root.bad(key, "%d entries; use at most %d".formatted(nodes.size(), THINGS_MAX));
        }
        List<T> read = new ArrayList<>();
        for (Node node : nodes) {
            YamlMap map = yaml.map(node, "an entry of \"" + key + "\"");
            read.add(one.apply(map));
            map.finish();
        }
        return read;
    }

    private SwitchModel switchModel(YamlMap map) {
        String name = map.text("name");
        return new SwitchModel(
                name,
                map.text("title", name),
                choice(map, "fabric", Network.class),
                links(map),
                shares(map),
                figure(map, "typicalWatts"),
                figure(map, "maxWatts"),
                figure(map, "latencyNs"),
                figure(map, "priceUsd"));
    }

    private NavigableMap<Integer, Figure> links(YamlMap map) {
        NavigableMap<Integer, Figure> links = new TreeMap<>();
        YamlMap rates = yaml.map(map.need("ports"), "ports");
        for (String rate : rates.keys()) {
            Figure count = needed(rates, rate);
            if (count.low() != count.high() || count.low() % 1 != 0 || count.low() > 1023) {
                throw rates.bad(rate, count.text() + " links; use a whole number of 2 to 1023");
            }
            if (count.low() < 2) {
                throw rates.bad(rate, count.text() + " links; use a whole number of 2 to 1023");
            }
            links.put(rate(rates, rate, rate), count);
        }
        return links;
    }

    private Map<Integer, Integer> shares(YamlMap map) {
        Map<Integer, Integer> shares = new LinkedHashMap<>();
        Node node = map.take("linksPerCage");
        if (node != null) {
            YamlMap rates = yaml.map(node, "linksPerCage");
            for (String rate : rates.keys()) {
                double count = number(rates, rate, rates.text(rate));
                if (count < 1 || count > 16 || count % 1 != 0) {
                    throw rates.bad(rate, "use a whole number of links in a cage, 1 to 16");
                }
                shares.put(rate(rates, rate, rate), (int) count);
            }
        }
        return shares;
    }

    private Medium medium(YamlMap map) {
        String name = map.text("name");
        String kind = map.text("kind");
        if (!List.of("copper", "optical").contains(kind)) {
            throw map.bad("kind", "\"" + kind + "\" is not known; use copper or optical");
        }
        return new Medium(
                name,
                map.text("title", name),
                kind.equals("optical"),
                rates(map),
                needed(map, "reachMetres"),
                figure(map, "wattsPerEnd"),
                needed(map, "nsPerMetre"),
                figure(map, "priceUsd"));
    }

    private NicModel nic(YamlMap map) {
        List<Network> networks = new ArrayList<>();
        for (Node word : yaml.list(map.need("fabric"))) {
            networks.add(choice(map, "fabric", yaml.text(word, "fabric"), Network.class));
        }
        return new NicModel(
                map.text("name"),
                networks,
                rates(map),
                figure(map, "typicalWatts"),
                figure(map, "maxWatts"),
                figure(map, "priceUsd"));
    }

    private List<Integer> rates(YamlMap map) {
        return yaml.list(map.need("rates")).stream()
                .map(node -> rate(map, "rates", yaml.text(node, "a rate")))
                .toList();
    }

    private Figure needed(YamlMap map, String key) {
        map.need(key);
        Figure figure = figure(map, key);
        if (figure == null) {
            throw map.bad(key, "it is missing");
        }
        return figure;
    }

    /// A number with its source, or null where there is none.
    private @Nullable Figure figure(YamlMap map, String key) {
        Node node = map.take(key);
        if (node == null) {
            return null;
        }
        YamlMap parts = yaml.map(node, key);
        double low;
        double high;
        if (parts.take("value") != null) {
            low = number(parts, "value", parts.text("value"));
            high = low;
        } else {
            low = number(parts, "low", parts.text("low"));
            high = number(parts, "high", parts.text("high"));
        }
        if (low > high) {
            throw parts.bad("low", "it is above \"high\"; exchange them");
        }
        Figure figure =
                new Figure(
                        low,
                        high,
                        parts.text("source"),
                        parts.text("date"),
                        choice(parts, "mark", Mark.class));
        parts.finish();
        return figure;
    }

    private static double number(YamlMap map, String key, String text) {
        try {
            double number =
                    text.matches("[0-9]{1,9}(\\.[0-9]{1,6})?") ? Double.parseDouble(text) : -1;
            if (number >= 0 && number <= NUMBER_MAX) {
                return number;
            }
        } catch (NumberFormatException _) {
            // Said below.
        }
        throw map.bad(key, "\"%s\" is no number; use 0 to 1000000000".formatted(text));
    }

    private static int rate(YamlMap map, String key, String text) {
        double rate = number(map, key, text);
        if (rate < 1 || rate > 100_000 || rate % 1 != 0) {
            throw map.bad(key, "\"%s\" is no rate in Gb/s; use 1 to 100000".formatted(text));
        }
        return (int) rate;
    }

    private static <E extends Enum<E>> E choice(YamlMap map, String key, Class<E> kind) {
        return choice(map, key, map.text(key), kind);
    }

    private static <E extends Enum<E>> E choice(
            YamlMap map, String key, String word, Class<E> kind) {
        List<String> words =
                Arrays.stream(kind.getEnumConstants())
                        .map(it -> it.name().toLowerCase(Locale.ROOT))
                        .toList();
        int found = words.indexOf(word);
        if (found < 0) {
            throw map.bad(key, "\"%s\" is not known; use %s".formatted(word, Texts.or(words)));
        }
        return kind.getEnumConstants()[found];
    }
}
