package dev.verbena.lint;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Do the service levels that partitions use have lanes, and the lanes a share?
final class LaneRule implements Rule {
    private static final int LEVELS = 16;
    private static final int NO_LANE = 15;
    private static final int LANE_MAX = 15;
    private static final int WEIGHT_MAX = 255;
    private static final String TABLE = "qos_sl2vl";

    /// OpenSM's default mapping.
    private static final List<Integer> USUAL =
            List.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 7);

    @Override
    public void check(Scene scene, Findings findings) {
        Map<Integer, Place> levels = new TreeMap<>();
        for (Partitions partitions : scene.partitions()) {
            for (Partition rule : partitions.rules()) {
                rule.serviceLevel().ifPresent(it -> levels.putIfAbsent(it.asInt(), rule.place()));
            }
        }
        for (OpenSmOptions options : scene.managers()) {
            if (options.isOn("qos", false)) {
                lanes(options, levels, findings);
            } else {
                levels.forEach((level, place) -> off(options, level, place, findings));
            }
        }
    }

    private static void off(OpenSmOptions options, int level, Place place, Findings findings) {
        if (level != 0) {
            findings.add(
                    Code.VL806,
                    place,
                    "service level %d: OpenSM uses 0, since qos is not TRUE".formatted(level),
                    List.of(place.says("sl=" + level), options.evidence("qos", "FALSE")),
                    "Set qos TRUE, or leave the sl out.");
        }
    }

    private static void lanes(
            OpenSmOptions options, Map<Integer, Place> levels, Findings findings) {
        List<Integer> table = table(options, findings);
        Map<Integer, Set<Integer>> users = new TreeMap<>();
        levels.forEach(
                (level, place) -> {
                    if (level < table.size()) {
                        int lane = table.get(level);
                        if (lane == NO_LANE) {
                            dropped(options, level, place, findings);
                        } else {
                            users.computeIfAbsent(lane, _ -> new TreeSet<>()).add(level);
                        }
                    }
                });
        Optional<Set<Integer>> starved = withoutShare(options, findings);
        users.forEach(
                (lane, sharing) -> {
                    if (sharing.size() > 1) {
                        shared(options, lane, sharing, findings);
                    }
                    if (starved.filter(it -> it.contains(lane)).isPresent()) {
                        starved(options, lane, sharing, findings);
                    }
                });
    }

    private static List<Integer> table(OpenSmOptions options, Findings findings) {
        Optional<Setting> setting = options.get(TABLE);
        if (setting.isEmpty()) {
            return USUAL;
        }
        List<Integer> table = new ArrayList<>();
        String[] entries = setting.get().text().split(",", -1);
        for (String entry : entries) {
            Optional<Figure> lane =
                    findings.figure(
                            new Setting(entry, setting.get().place()),
                            "a lane of " + TABLE,
                            0,
                            LANE_MAX);
            if (lane.isEmpty()) {
                return List.of();
            }
            table.add(lane.get().asInt());
        }
        if (entries.length != LEVELS) {
            Place place = setting.get().place();
            findings.add(
                    Code.VL808,
                    place,
                    "%s has %d entries for 16 service levels".formatted(TABLE, entries.length),
                    List.of(place.says(TABLE + " " + Shown.word(setting.get().text()))),
                    "Give a lane for each of the 16 service levels.");
        }
        return table;
    }

    private static void dropped(OpenSmOptions options, int level, Place place, Findings findings) {
        findings.add(
                Code.VL807,
                options.placeOf(TABLE),
                "service level %d is mapped to VL15, and its packets are dropped".formatted(level),
                List.of(
                        options.evidence(TABLE, "the default"),
                        place.says("a partition has sl=" + level)),
                "Map it to a lane from 0 to 14.");
    }

    private static void shared(
            OpenSmOptions options, int lane, Set<Integer> levels, Findings findings) {
        findings.add(
                Code.VL809,
                options.placeOf(TABLE),
                "service levels %s of partitions share lane %d".formatted(levels, lane),
                List.of(options.evidence(TABLE, "the default")),
                "Map them to lanes of their own, if they are to be kept apart.");
    }

    private static void starved(
            OpenSmOptions options, int lane, Set<Integer> levels, Findings findings) {
        findings.add(
                Code.VL810,
                options.placeOf("qos_vlarb_low"),
                "lane %d of service level %s has the weight 0 in both tables"
                        .formatted(lane, levels),
                List.of(
                        options.evidence("qos_vlarb_high", "the default"),
                        options.evidence("qos_vlarb_low", "the default")),
                "Give it a weight in qos_vlarb_low.");
    }

    /// Lanes that no table of arbitration serves; empty when not both tables are there.
    private static Optional<Set<Integer>> withoutShare(OpenSmOptions options, Findings findings) {
        Set<Integer> served = new TreeSet<>();
        for (String name : List.of("qos_vlarb_high", "qos_vlarb_low")) {
            Optional<Setting> setting = options.get(name);
            if (setting.isEmpty()) {
                return Optional.empty();
            }
            for (String entry : setting.get().text().split(",", -1)) {
                String[] pair = entry.strip().split(":", 2);
                OptionalLong lane = Numbers.parse(pair[0]);
                OptionalLong weight =
                        pair.length < 2 ? OptionalLong.empty() : Numbers.parse(pair[1]);
                if (!isIn(lane, NO_LANE - 1) || !isIn(weight, WEIGHT_MAX)) {
                    findings.unreadable(
                            setting.get().place(),
                            "an entry of " + name,
                            entry,
                            "LANE:WEIGHT, with lanes 0 to 14 and weights 0 to 255");
                    return Optional.empty();
                }
                if (weight.getAsLong() > 0) {
                    served.add((int) lane.getAsLong());
                }
            }
        }
        Set<Integer> starved = new TreeSet<>(USUAL);
        starved.removeAll(served);
        return Optional.of(starved);
    }

    private static boolean isIn(OptionalLong number, int most) {
        return number.isPresent() && number.getAsLong() >= 0 && number.getAsLong() <= most;
    }
}
