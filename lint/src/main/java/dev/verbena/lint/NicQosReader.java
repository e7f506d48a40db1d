package dev.verbena.lint;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads the output of `mlnx_qos -i INTERFACE`.
final class NicQosReader {
    private static final Pattern DSCPS = Pattern.compile("prio:(\\S{1,9})\\s+dscp:(.*)");
    private static final Pattern CLASS =
            Pattern.compile(
                    "tc:\\s*(\\d{1,2})\\s+ratelimit:.{0,60}?tsa:\\s*(\\w+)"
                            + "(?:,\\s*bw:\\s*(\\S+?)%)?");
    private static final int DSCP_MAX = 63;
    private static final int PRIORITY_MAX = 7;
    private static final int METRES_MAX = 100_000;
    private static final int PERCENT_MAX = 100;

    private final Text text;
    private final Findings findings;
    private Optional<Setting> trust = Optional.empty();
    private Optional<Figure> cable = Optional.empty();
    private Optional<Setting> pfcText = Optional.empty();
    private final Map<Integer, Figure> priorities = new TreeMap<>();
    private final Set<Integer> pfc = new TreeSet<>();
    private final List<NicQos.TrafficClass> classes = new ArrayList<>();

    private NicQosReader(Text text, Findings findings) {
        this.text = text;
        this.findings = findings;
    }

    static NicQos read(Text text, Findings findings) {
        return new NicQosReader(text, findings).read();
    }

    private NicQos read() {
        List<String> lines = text.lines();
        for (int i = 0; i < lines.size(); i++) {
            line(lines.get(i).strip(), text.line(i));
        }
        if (pfcText.isEmpty()) {
            findings.unreadable(
                    Place.start(text.file()),
                    "the output of mlnx_qos",
                    "cut off before the priorities of PFC",
                    "all of the output");
        }
        return new NicQos(trust, priorities, cable, pfcText, pfc, classes);
    }

    private void line(String line, Place place) {
        Matcher dscps = DSCPS.matcher(line);
        Matcher trafficClass = CLASS.matcher(line);
        if (line.startsWith("Priority trust state:")) {
            trust = Optional.of(new Setting(after(line), place));
        } else if (line.startsWith("Cable len:")) {
            cable = findings.figure(new Setting(after(line), place), "Cable len", 0, METRES_MAX);
        } else if (line.startsWith("enabled") && pfcText.isEmpty()) {
            enabled(new Setting(line, place));
        } else if (dscps.lookingAt()) {
            dscps(dscps.group(1), dscps.group(2), place);
        } else if (trafficClass.lookingAt()) {
            trafficClass(trafficClass, line, place);
        } else if (line.startsWith("priority:") && !classes.isEmpty()) {
            findings.figure(new Setting(after(line), place), "priority of a tc", 0, PRIORITY_MAX)
                    .ifPresent(it -> classes.getLast().priorities().add(it.asInt()));
        }
    }

    private static String after(String line) {
        return line.substring(line.indexOf(':') + 1).strip();
    }

    private void enabled(Setting line) {
        String[] bits = line.text().substring("enabled".length()).strip().split("\\s+", -1);
        if (bits.length != PRIORITY_MAX + 1) {
            findings.unreadable(line.place(), "PFC's line 'enabled'", line.text(), "eight numbers");
        }
        for (int i = 0; i < Math.min(bits.length, PRIORITY_MAX + 1); i++) {
            int priority = i;
            findings.figure(new Setting(bits[i], line.place()), "PFC of priority " + i, 0, 1)
                    .filter(it -> it.value() == 1)
                    .ifPresent(_ -> pfc.add(priority));
        }
        pfcText = Optional.of(line);
    }

    private void dscps(String priority, String list, Place place) {
        Optional<Figure> to =
                findings.figure(new Setting(priority, place), "prio of dscp2prio", 0, PRIORITY_MAX);
        for (String dscp : list.split(",", -1)) {
            if (!dscp.isBlank() && to.isPresent()) {
                findings.figure(new Setting(dscp, place), "dscp of dscp2prio", 0, DSCP_MAX)
                        .ifPresent(it -> priorities.put(it.asInt(), to.get()));
            }
        }
    }

    private void trafficClass(Matcher matched, String line, Place place) {
        Optional<Figure> percent =
                matched.group(3) == null || !matched.group(2).equals("ets")
                        ? Optional.empty()
                        : findings.figure(
                                new Setting(matched.group(3), place), "bw of a tc", 0, PERCENT_MAX);
        classes.add(
                new NicQos.TrafficClass(
                        Integer.parseInt(matched.group(1)), place, line, percent, new HashSet<>()));
    }
}
