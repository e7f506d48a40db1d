package dev.verbena.lint;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Does the routing engine keep the subnet free of credit loops?
final class RoutingRule implements Rule {
    private static final String OPTION = "routing_engine";
    private static final String USUAL = "minhop";
    private static final String NO_FALLBACK = "no_fallback";
    private static final Set<String> ENGINES =
            Set.of(
                    "minhop",
                    "updn",
                    "dnup",
                    "ftree",
                    "lash",
                    "dor",
                    "torus-2QoS",
                    "nue",
                    "dfsssp",
                    "sssp",
                    "file",
                    "null");

    /// Engines that take the shortest paths, whatever waits for whatever.
    private static final Set<String> LOOPING = Set.of(USUAL, "null", "sssp", "file", "dor");

    /// Engines that part paths by lanes, for which service levels must be in force.
    private static final Set<String> BY_LANES = Set.of("lash", "dfsssp", "torus-2QoS");

    @Override
    public void check(Scene scene, Findings findings) {
        for (OpenSmOptions options : scene.managers()) {
            Optional<Setting> setting = options.get(OPTION);
            List<String> chain =
                    setting.stream()
                            .flatMap(it -> Stream.of(it.text().split("[,\\s]+", -1)))
                            .filter(it -> !it.isEmpty())
                            .toList();
            List<String> engines = chain.stream().filter(it -> !it.equals(NO_FALLBACK)).toList();
            if (unknown(engines, setting, findings)) {
                continue;
            }
            needsQos(options, engines, findings);
            roots(options, engines, findings);
            loops(options, chain, engines, scene.assumptions(), findings);
        }
    }

    private static boolean unknown(
            List<String> engines, Optional<Setting> setting, Findings findings) {
        List<String> unknown = engines.stream().filter(it -> !ENGINES.contains(it)).toList();
        for (String engine : unknown) {
            Place place = setting.orElseThrow().place();
            findings.add(
                    Code.VL805,
                    place,
                    "no routing engine has the name '%s'".formatted(Shown.word(engine)),
                    List.of(place.says(OPTION + " " + Shown.word(setting.get().text()))),
                    "Use one of %s."
                            .formatted(String.join(", ", ENGINES.stream().sorted().toList())));
        }
        return !unknown.isEmpty();
    }

    private static void needsQos(OpenSmOptions options, List<String> engines, Findings findings) {
        if (options.isOn("qos", false)) {
            return;
        }
        for (String engine : engines) {
            boolean lanes = engine.equals("nue") && !lanesOfNue(options).equals("1");
            if (BY_LANES.contains(engine) || lanes) {
                findings.add(
                        Code.VL804,
                        options.placeOf(OPTION),
                        "%s keeps paths apart by service levels, and qos is not TRUE"
                                .formatted(engine),
                        List.of(options.evidence(OPTION, USUAL), options.evidence("qos", "FALSE")),
                        "Set qos TRUE.");
            }
        }
    }

    private static String lanesOfNue(OpenSmOptions options) {
        return options.get("nue_max_num_vls").map(Setting::text).orElse("1");
    }

    private static void roots(OpenSmOptions options, List<String> engines, Findings findings) {
        if (engines.contains("ftree") && options.get("root_guid_file").isEmpty()) {
            findings.add(
                    Code.VL803,
                    options.placeOf(OPTION),
                    "ftree guesses the roots, and gives up when an uplink fails",
                    List.of(
                            options.evidence(OPTION, USUAL),
                            options.evidence("root_guid_file", "unset")),
                    "List the GUIDs of the spines in root_guid_file.");
        }
    }

    private static void loops(
            OpenSmOptions options,
            List<String> chain,
            List<String> engines,
            Assumptions assumptions,
            Findings findings) {
        String first = engines.isEmpty() ? USUAL : engines.getFirst();
        SubnetShape shape = assumptions.topology().orElse(null);
        boolean looping = LOOPING.contains(first);
        if (shape == null) {
            if (looping || !chain.contains(NO_FALLBACK)) {
                findings.unjudged(
                        options.placeOf(OPTION),
                        "whether %s can leave credit loops"
                                .formatted(looping ? first : "a fallback to minhop"),
                        "the shape of the subnet: --topology");
            }
        } else if (shape != SubnetShape.TREE && looping) {
            Map<SubnetShape, String> names =
                    Map.of(SubnetShape.TORUS, "torus", SubnetShape.OTHER, "subnet that is no tree");
            findings.add(
                    Code.VL801,
                    options.placeOf(OPTION),
                    "%s on a %s may leave credit loops".formatted(first, names.get(shape)),
                    List.of(options.evidence(OPTION, USUAL)),
                    shape == SubnetShape.TORUS
                            ? "Use torus-2QoS with qos TRUE, or updn."
                            : "Use updn, or dfsssp or nue with qos TRUE.");
        } else if (shape != SubnetShape.TREE && !chain.contains(NO_FALLBACK)) {
            findings.add(
                    Code.VL802,
                    options.placeOf(OPTION),
                    "where %s cannot route, minhop does, and may leave credit loops"
                            .formatted(first),
                    List.of(options.evidence(OPTION, USUAL)),
                    "Add no_fallback to the list.");
        }
    }
}
