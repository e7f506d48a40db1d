package dev.verbena.fabric;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/// Reads faults of cables as they are written on a command line: `WHERE=WHAT@FROM-UNTIL`, with
/// times in microseconds.
///
/// `WHERE` is a port as `leaf-0:33`, a host, `hosts`, `uplinks`, `all`, or `a-host` and `an-uplink`
/// for one that the seed chooses; a switch stands for all of its cables. `WHAT` is `loss:0.001`,
/// `loss-out:0.001` and `loss-in:0.001` for packets that leave or reach the named port, `ber:1e-4`
/// for bits that are wrong before correction, `blackhole` for all packets without a port's notice,
/// `storm:3` and `slow-receiver:0.25` for the NIC of a host, `slow:0.25`, `slow`, `down`, or
/// `flap:20/80` for a cable that is down for 20 of every 100 microseconds. Without times a fault is
/// there from the start and for ever; one that flaps needs both.
public final class FaultText {
    private static final double PS_PER_US = 1e6;
    private static final String NUMBER = "(\\d{1,9}(?:\\.\\d{1,6})?)";
    private static final Pattern WHEN = Pattern.compile(NUMBER + "-" + NUMBER + "?");
    private static final Pattern FLAP = Pattern.compile("flap:" + NUMBER + "/" + NUMBER);

    /// The most faults of one text; a cable that flaps for long has many.
    private static final int MOST = 1 << 20;

    private final String text;
    private final Topology topology;

    /// Of a cable that is named by a port, the end with this port.
    private int end = -1;

    private FaultText(String text, Topology topology) {
        this.text = text;
        this.topology = topology;
    }

    /// The faults of one text.
    ///
    /// @param seed chooses the cable of `a-host` and `an-uplink`
    /// @throws IllegalArgumentException for a text that cannot be read
    public static List<CableFault> parse(String text, Topology topology, long seed) {
        return new FaultText(text, topology).read(seed);
    }

    private List<CableFault> read(long seed) {
        int split = text.lastIndexOf('=');
        int time = text.indexOf('@', split + 1);
        if (split < 1) {
            throw refused("write it as uplinks=loss:0.001, or leaf-0:33=down@100-200");
        }
        List<Integer> cables = cables(text.substring(0, split), seed);
        String what = time < 0 ? text.substring(split + 1) : text.substring(split + 1, time);
        long fromPs = 0;
        long untilPs = CableFault.FOR_EVER;
        if (time >= 0) {
            Matcher when = WHEN.matcher(text.substring(time + 1));
            if (!when.matches()) {
                throw refused("write the time in us as @100-200, or @100- for ever");
            }
            fromPs = ps(when.group(1));
            untilPs = when.group(2) == null ? CableFault.FOR_EVER : ps(when.group(2));
        }
        if (untilPs <= fromPs) {
            throw refused("it must end after it has begun");
        }
        List<CableFault> faults = new ArrayList<>();
        for (int cable : cables) {
            if (what.startsWith("flap")) {
                flap(cable, what, fromPs, untilPs, faults);
            } else {
                faults.add(fault(cable, what).during(fromPs, untilPs));
            }
        }
        return faults;
    }

    private CableFault fault(int cable, String what) {
        if (what.equals("down")) {
            return CableFault.down(cable, 0, 1);
        }
        if (what.equals("blackhole")) {
            return CableFault.loss(cable, 1);
        }
        if (what.equals("storm")) {
            return new CableFault(cable, CableFault.Kind.STORM, 0, 0, 1);
        }
        if (what.equals("slow")) {
            return CableFault.slow(cable, CableFault.ONE_LANE);
        }
        int colon = what.indexOf(':');
        try {
            double value = Double.parseDouble(what.substring(colon + 1));
            return switch (colon < 0 ? what : what.substring(0, colon)) {
                case "loss" -> CableFault.loss(cable, value);
                case "loss-out" -> CableFault.loss(cable, value).outOf(end());
                case "loss-in" -> CableFault.loss(cable, value).outOf(1 - end());
                case "ber" -> CableFault.bitErrors(cable, value);
                case "storm" -> new CableFault(cable, CableFault.Kind.STORM, value, 0, 1);
                case "slow-receiver" ->
                        new CableFault(cable, CableFault.Kind.SLOW_RECEIVER, value, 0, 1);
                case "slow" -> CableFault.slow(cable, value);
                default -> throw unknown(what);
            };
        } catch (NumberFormatException malformed) {
            throw unknown(what);
        } catch (IllegalArgumentException outside) {
            throw refused(String.valueOf(outside.getMessage()));
        }
    }

    private IllegalArgumentException unknown(String what) {
        return refused(
                "'"
                        + what
                        + "': use loss:0.001, loss-out:0.001, loss-in:0.001, ber:1e-4, blackhole,"
                        + " slow:0.25, down, flap:20/80 (us down, us up), storm:3 or"
                        + " slow-receiver:0.25");
    }

    private void flap(int cable, String what, long fromPs, long untilPs, List<CableFault> to) {
        Matcher times = FLAP.matcher(what);
        if (!times.matches() || ps(times.group(1)) == 0 || ps(times.group(2)) == 0) {
            throw unknown(what);
        }
        if (untilPs == CableFault.FOR_EVER) {
            throw refused("a cable flaps from a time until a time: add @0-1000");
        }
        long downPs = ps(times.group(1));
        long periodPs = downPs + ps(times.group(2));
        for (long at = fromPs; at < untilPs; at += periodPs) {
            if (to.size() == MOST) {
                throw refused("that is more than %,d times down".formatted(MOST));
            }
            to.add(CableFault.down(cable, at, Math.min(at + downPs, untilPs)));
        }
    }

    private List<Integer> cables(String where, long seed) {
        return switch (where) {
            case "all" -> all(_ -> true);
            case "hosts" -> all(cable -> !topology.isUplink(cable));
            case "uplinks" -> all(topology::isUplink);
            case "a-host" -> one(all(cable -> !topology.isUplink(cable)), seed);
            case "an-uplink" -> one(all(topology::isUplink), seed);
            default -> ofSwitch(where).isEmpty() ? List.of(named(where)) : ofSwitch(where);
        };
    }

    private List<Integer> all(IntPredicate wanted) {
        List<Integer> found = IntStream.range(0, topology.cables()).filter(wanted).boxed().toList();
        if (found.isEmpty()) {
            throw refused("the fabric has no such cable");
        }
        return found;
    }

    private static List<Integer> one(List<Integer> of, long seed) {
        return List.of(of.get(new SplittableRandom(seed).nextInt(of.size())));
    }

    /// All cables of a switch of this name.
    private List<Integer> ofSwitch(String where) {
        return IntStream.range(0, topology.cables())
                .filter(cable -> isSwitch(cable, 0, where) || isSwitch(cable, 2, where))
                .boxed()
                .toList();
    }

    private boolean isSwitch(int cable, int part, String where) {
        int node = topology.cable(cable, part);
        return node >= topology.hosts() && topology.isCalled(node, where);
    }

    /// The end of a cable that the text names.
    private int end() {
        if (end < 0) {
            throw refused("a direction is that of one port: use a host as host-0, or leaf-0:33");
        }
        return end;
    }

    private int named(String where) {
        int colon = where.lastIndexOf(':');
        String node = colon < 0 ? where : where.substring(0, colon);
        String port = colon < 0 ? "0" : where.substring(colon + 1);
        for (int cable = 0; cable < topology.cables(); cable++) {
            for (int part = 0; part < 4; part += 2) {
                int at = topology.cable(cable, part);
                boolean isHost = at < topology.hosts();
                if ((isHost || colon >= 0)
                        && port.equals(String.valueOf(topology.cable(cable, part + 1)))
                        && topology.isCalled(at, node)) {
                    end = part / 2;
                    return cable;
                }
            }
        }
        throw refused(
                "no cable at '"
                        + where
                        + "': use a host as host-0, a port as leaf-0:33, hosts, uplinks, all, "
                        + "a-host or an-uplink");
    }

    private static long ps(String us) {
        return Math.round(Double.parseDouble(us) * PS_PER_US);
    }

    private IllegalArgumentException refused(String remedy) {
        return new IllegalArgumentException("fault " + text + ": " + remedy);
    }
}
