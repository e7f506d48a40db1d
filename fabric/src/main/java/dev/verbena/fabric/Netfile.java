package dev.verbena.fabric;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A fabric as `ibnetdiscover` prints it and `ibsim` reads it.
///
/// ```text
/// Switch  4 "S-0002c90000000001"      # "leaf 0"
/// [1]     "H-0002c90000000101"[1]     # "host 0" lid 4 4xHDR
///
/// Ca      1 "H-0002c90000000101"      # "host 0"
/// [1]     "S-0002c90000000001"[1]
/// ```
///
/// Ports count from 1 there and from 0 here. A cable is named at one of its ends or at both. An
/// adapter with several cables is as many hosts.
///
/// Behind a node's name a line can have the speed of its cable, as `ibnetdiscover` prints it, or in
/// the form `25Gb/s`, and its length in the form `100m`; see [CablePlan].
public final class Netfile {
    private static final int LINES_MAX = 10_000_000;

    /// Instead of a switch's number.
    private static final int ADAPTER = -1;

    private static final Pattern NODE =
            Pattern.compile("(Switch|Ca|Hca|HCA)\\s+(\\d{1,5})\\s+\"([^\"]+)\"(.*)");
    private static final Pattern PORT =
            Pattern.compile("\\[(\\d{1,5})](?:\\([^)]*\\))?\\s+\"([^\"]+)\"\\[(\\d{1,5})](.*)");
    private static final Pattern ROUTER = Pattern.compile("(Rt|Router)\\s+\\d+\\s+\".*");
    private static final Pattern DESCRIPTION = Pattern.compile(".*?#\\s*\"([^\"]*)\".*");

    /// What looks like a speed: of another kind than those that are known, it is refused.
    private static final Pattern SPEED = Pattern.compile("\\d+x[A-Z]+\\d*");

    private static final Pattern GBITS = Pattern.compile("(\\d+(?:\\.\\d+)?)Gb/s");
    private static final Pattern LENGTH = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)m");

    /// Widths and speeds that a port may have, in a form of ibsim's.
    private static final Pattern OPTION = Pattern.compile("[wse]=.*");

    private record End(String node, int port) {}

    private record Node(boolean isSwitch, int ports, String id, String name, int line) {}

    private record Line(int number, Node node, int port, End to, CablePlan cable) {}

    private final Map<String, Node> nodes = new LinkedHashMap<>();
    private final List<Line> lines = new ArrayList<>();

    private Netfile() {}

    /// Reads a fabric; `name` is what it is called.
    public static Topology parse(String name, List<String> text) {
        if (text.size() > LINES_MAX) {
            throw new IllegalArgumentException(
                    "%s has %,d lines: at most %,d".formatted(name, text.size(), LINES_MAX));
        }
        Netfile file = new Netfile();
        file.read(text);
        return file.wiring(name).topology();
    }

    private void read(List<String> text) {
        @Nullable Node at = null;
        for (int i = 0; i < text.size(); i++) {
            String line = text.get(i).strip();
            Matcher node = NODE.matcher(line);
            Matcher port = PORT.matcher(line);
            if (node.matches()) {
                at = add(node, i + 1);
            } else if (ROUTER.matcher(line).matches()) {
                throw bad(i + 1, "routers are not simulated");
            } else if (port.matches()) {
                if (at == null) {
                    throw bad(i + 1, "a port comes after its Switch or Ca");
                }
                End to = new End(port.group(2), Integer.parseInt(port.group(3)));
                CablePlan cable = cable(port.group(4), i + 1);
                lines.add(new Line(i + 1, at, Integer.parseInt(port.group(1)), to, cable));
            } else if (!isAside(line)) {
                throw bad(i + 1, "neither Switch, Ca nor [port] \"node\"[port]: " + line);
            }
        }
    }

    /// Reads speed and length from what follows the other end of a cable.
    private static CablePlan cable(String rest, int line) {
        CablePlan cable = CablePlan.USUAL;
        boolean hasOptions = false;
        try {
            // Names of nodes are in quotes, and may look like anything.
            for (String word : rest.replaceAll("\"[^\"]*\"", " ").strip().split("\\s+", -1)) {
                Matcher gbits = GBITS.matcher(word);
                Matcher length = LENGTH.matcher(word);
                if (SPEED.matcher(word).matches()) {
                    cable = cable.withRate(Generation.parse(word));
                } else if (gbits.matches()) {
                    cable = cable.withRate(Rate.parse(gbits.group(1)));
                } else if (length.matches()) {
                    cable = cable.withMetres(Double.parseDouble(length.group(1)));
                }
                hasOptions |= OPTION.matcher(word).matches();
            }
        } catch (IllegalArgumentException unknown) {
            throw bad(line, String.valueOf(unknown.getMessage()));
        }
        if (hasOptions && !cable.hasRate()) {
            throw bad(line, "w=, s= and e= are not read: write the speed as 4xHDR behind them");
        }
        return cable;
    }

    /// What says nothing of the shape: remarks, and lines such as `vendid=0x2c9`.
    private static boolean isAside(String line) {
        return line.isEmpty() || line.startsWith("#") || line.matches("\\w+\\s*=.*");
    }

    private Node add(Matcher found, int line) {
        String id = found.group(3);
        Matcher description = DESCRIPTION.matcher(found.group(4));
        String name = description.matches() ? description.group(1) : id;
        boolean isSwitch = found.group(1).equals("Switch");
        Node node = new Node(isSwitch, Integer.parseInt(found.group(2)), id, name, line);
        if (nodes.put(id, node) != null) {
            throw bad(line, "\"" + id + "\" is there twice");
        }
        return node;
    }

    private Wiring wiring(String name) {
        Wiring wiring = new Wiring(name);
        Map<String, Integer> numbers = new HashMap<>();
        for (Node node : nodes.values()) {
            if (node.isSwitch()) {
                numbers.put(node.id(), wiring.addSwitch(node.name(), node.ports()));
            }
        }
        Map<End, End> cables = new LinkedHashMap<>();
        Map<End, CablePlan> plans = new HashMap<>();
        for (Line line : lines) {
            Node to = nodes.get(line.to().node());
            if (to == null) {
                throw bad(line.number(), "there is no \"" + line.to().node() + "\"");
            }
            End own = new End(line.node().id(), line.port());
            checkPort(line, line.node(), line.port());
            checkPort(line, to, line.to().port());
            checkSame(line, cables.put(own, line.to()), line.to());
            checkSame(line, cables.put(line.to(), own), own);
            if (!line.cable().equals(CablePlan.USUAL)) {
                checkSame(line, plans.put(own, line.cable()));
                checkSame(line, plans.put(line.to(), line.cable()));
            }
        }
        // In the order of the adapters, not of the switches' ports.
        for (Node node : nodes.values()) {
            for (int port = 1; port <= node.ports(); port++) {
                End own = new End(node.id(), port);
                End other = cables.get(own);
                if (other != null) {
                    CablePlan plan = plans.getOrDefault(own, CablePlan.USUAL);
                    plug(wiring, numbers, new Plug(node, port, other, plan));
                }
            }
        }
        return wiring;
    }

    /// One end of a cable.
    private record Plug(Node node, int port, End other, CablePlan cable) {}

    private static void plug(Wiring wiring, Map<String, Integer> numbers, Plug plug) {
        Node node = plug.node();
        int port = plug.port();
        End other = plug.other();
        int own = numbers.getOrDefault(node.id(), ADAPTER);
        int far = numbers.getOrDefault(other.node(), ADAPTER);
        if (own == ADAPTER && far == ADAPTER) {
            throw bad(node.line(), "two adapters without a switch between them");
        }
        if (own == ADAPTER) {
            String called = node.ports() > 1 ? node.name() + " port " + port : node.name();
            wiring.addHost(called, far, other.port() - 1, plug.cable());
        } else if (far != ADAPTER && isFirst(own, port, far, other.port())) {
            wiring.join(own, port - 1, far, other.port() - 1, plug.cable());
        }
    }

    /// Of the two ends of a cable between switches, whether this one comes first.
    private static boolean isFirst(int own, int port, int far, int farPort) {
        return own < far || (own == far && port < farPort);
    }

    private static void checkPort(Line line, Node node, int port) {
        if (port < 1 || port > node.ports()) {
            throw bad(
                    line.number(),
                    "\"%s\" has ports 1 to %d, not %d".formatted(node.id(), node.ports(), port));
        }
    }

    private static void checkSame(Line line, @Nullable End before, End now) {
        if (before != null && !before.equals(now)) {
            throw bad(
                    line.number(),
                    "the other end is \"%s\"[%d], but was \"%s\"[%d] before"
                            .formatted(now.node(), now.port(), before.node(), before.port()));
        }
    }

    private static void checkSame(Line line, @Nullable CablePlan before) {
        if (before != null && !before.equals(line.cable())) {
            throw bad(
                    line.number(),
                    "the cable is %s, but was %s at its other end".formatted(line.cable(), before));
        }
    }

    private static IllegalArgumentException bad(int line, String what) {
        return new IllegalArgumentException("line %d: %s".formatted(line, what));
    }

    /// Writes a fabric, with made-up GUIDs, and with speed and length of cables that have their
    /// own.
    public static String print(Topology topology) {
        return new NetfileText(topology).print();
    }
}
