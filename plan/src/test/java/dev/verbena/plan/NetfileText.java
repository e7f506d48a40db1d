package dev.verbena.plan;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A second reader of netfiles, which knows nothing of the first: nodes, and which port leads
/// where.
final class NetfileText {
    private static final Pattern NODE =
            Pattern.compile("(Switch|Ca)\t(\\d+) \"([^\"]+)\"\t\t# \"([^\"]*)\"");
    private static final Pattern PORT = Pattern.compile("\\[(\\d+)]\t\"([^\"]+)\"\\[(\\d+)].*");

    /// By name of the tier, or `host`.
    final Map<String, Integer> nodes = new HashMap<>();

    /// From `node port` to `node port`, both ways.
    final Map<String, String> ends = new HashMap<>();

    /// Both tiers of a cable, the lower first, and how many there are.
    final Map<String, Integer> cables = new HashMap<>();

    final Map<String, String> tiers = new HashMap<>();

    /// In the order of the file.
    final List<String> hosts = new ArrayList<>();

    private int twice;

    NetfileText(String text) {
        String at = "";
        Map<String, Integer> ports = new HashMap<>();
        for (String line : text.split("\n", -1)) {
            Matcher node = NODE.matcher(line);
            Matcher port = PORT.matcher(line);
            if (node.matches()) {
                at = node.group(3);
                String tier = node.group(1).equals("Ca") ? "host" : tier(node.group(4));
                nodes.merge(tier, 1, Integer::sum);
                tiers.put(at, tier);
                if (tier.equals("host")) {
                    hosts.add(at);
                }
                ports.put(at, Integer.parseInt(node.group(2)));
            } else if (port.matches()) {
                int number = Integer.parseInt(port.group(1));
                if (number < 1 || number > ports.getOrDefault(at, 0)) {
                    throw new AssertionError("there is no such port: " + line);
                }
                String own = at + " " + number;
                String other = port.group(2) + " " + port.group(3);
                twice += ends.put(own, other) == null ? 0 : 1;
            }
        }
        ends.forEach(
                (own, other) -> {
                    String low = tiers.getOrDefault(own.split(" ", -1)[0], "?");
                    String high = tiers.getOrDefault(other.split(" ", -1)[0], "?");
                    cables.merge(low + " " + high, 1, Integer::sum);
                });
    }

    private static String tier(String name) {
        for (String tier : new String[] {"leaf", "spine", "core"}) {
            if (name.contains(tier)) {
                return tier;
            }
        }
        return "?";
    }

    int count(String tier) {
        return nodes.getOrDefault(tier, 0);
    }

    int cables(String low, String high) {
        return cables.getOrDefault(low + " " + high, 0);
    }

    /// Ports that lines name more than once.
    int portsTwice() {
        return twice;
    }

    /// Whether each cable is named at both ends, and leads back.
    boolean isSymmetric() {
        return ends.entrySet().stream()
                .allMatch(entry -> entry.getKey().equals(ends.get(entry.getValue())));
    }

    /// The first host of each leaf, by number.
    List<Integer> firstHosts() {
        Set<String> seen = new HashSet<>();
        List<Integer> first = new ArrayList<>();
        for (int i = 0; i < hosts.size(); i++) {
            String leaf = ends.getOrDefault(hosts.get(i) + " 1", "").split(" ", -1)[0];
            if (seen.add(leaf)) {
                first.add(i);
            }
        }
        return first;
    }
}
