package dev.verbena.virtual;

import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.spi.UriOptions;
import java.net.URI;
import java.util.Map;

/// The parameters of a `virtual://` URI, as they were given.
///
/// @param network which network the device belongs to
/// @param given the other parameters, by name, each with its value as text
record NetworkQuery(String network, Map<String, String> given) {
    private static final String KNOWN =
            "network, seed, loss, duplicate, reorder, corrupt, delay, recovery, pcap";
    private static final String DEFAULT_NETWORK = "virtual";
    private static final String PCAP = "pcap";
    private static final String RECOVERY = "recovery";
    private static final String SELECTIVE = "selective";
    private static final String GO_BACK = "goback";

    static NetworkQuery of(URI uri) {
        Map<String, String> given = UriOptions.of(uri, "loss=0.02");
        String network = given.remove("network");
        return new NetworkQuery(network == null ? DEFAULT_NETWORK : network, given);
    }

    /// The settings of a network that this one is the first to name.
    VirtualSettings settings() {
        VirtualSettings settings = VirtualSettings.DEFAULT;
        for (Map.Entry<String, String> one : given.entrySet()) {
            settings = with(settings, one.getKey(), one.getValue());
        }
        return settings;
    }

    private VirtualSettings with(VirtualSettings settings, String name, String text) {
        return switch (name) {
            case "seed" -> settings.withSeed(Quantities.number(name, text));
            case "loss" -> settings.withLoss(Quantities.probability(name, text));
            case "duplicate" -> settings.withDuplicate(Quantities.probability(name, text));
            case "reorder" -> settings.withReorder(Quantities.probability(name, text));
            case "corrupt" -> settings.withCorrupt(Quantities.probability(name, text));
            case "delay" -> settings.withDelay(Quantities.time(name, text));
            case PCAP -> settings;
            case RECOVERY -> {
                requireRecovery(text);
                yield settings;
            }
            default ->
                    throw new InvalidRequestException(
                            "virtual network " + network,
                            "no parameter " + name,
                            "use some of " + KNOWN);
        };
    }

    private void requireRecovery(String text) {
        if (!text.equals(SELECTIVE) && !text.equals(GO_BACK)) {
            throw new InvalidRequestException(
                    "virtual network " + network,
                    "recovery cannot be '" + text + "'",
                    "use " + GO_BACK + " or " + SELECTIVE);
        }
    }

    /// Whether its devices offer to repeat only what is lost.
    boolean isSelective() {
        return given.getOrDefault(RECOVERY, GO_BACK).equals(SELECTIVE);
    }

    /// The capture file; empty when none is asked for.
    String pcap() {
        return given.getOrDefault(PCAP, "");
    }

    /// Refuses to join a network that was opened with other parameters. Parameters that are not
    /// given match any value.
    void requireFits(NetworkQuery first) {
        VirtualSettings theirs = first.settings();
        for (Map.Entry<String, String> one : given.entrySet()) {
            String name = one.getKey();
            boolean same =
                    switch (name) {
                        case PCAP -> pcap().equals(first.pcap());
                        case RECOVERY -> {
                            requireRecovery(one.getValue());
                            yield isSelective() == first.isSelective();
                        }
                        default -> with(theirs, name, one.getValue()).equals(theirs);
                    };
            if (!same) {
                String before = first.given.getOrDefault(name, "the default");
                throw new InvalidRequestException(
                        "virtual network " + network,
                        "it is open with %s %s, and now %s is asked for"
                                .formatted(name, before, one.getValue()),
                        "the first device decides for all: leave parameters out of later ones, or"
                                + " use another network=NAME");
            }
        }
    }
}
