package dev.verbena.interop.matrix;

import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Plays all cells with a peer, under all conditions, in both directions, and writes the results.
///
/// | option | what |
/// |---|---|
/// | `oracle=HOST:PORT` | where `interop/rxe/oracle.c` takes commands |
/// | `ipv4=OURS,THEIRS` | addresses of the two devices; with `ipv6=…`, or only one of both |
/// | `mtus=1024,4096` | the path MTUs to play with |
/// | `gso=on,off` | whether packets leave in trains that the kernel cuts |
/// | `cable=PORT` | where `interop/rxe/link.c` takes commands; without it there are no faults |
/// | `peer=NAME` | what the peer is called |
/// | `seed=N`, `cells=REGEX` | another seed; only some cells |
/// | `extent=quick` | the conditions of [Conditions#isQuick] alone |
/// | `out=FILE` | what [ResultFile] writes |
final class Matrix {
    private final Options options;
    private final ResultFile out;
    private final @Nullable Cable cable;
    private final long seed;
    private final String peer;
    private final boolean isQuick;
    private final List<Cell> cells;
    private final List<Result> results = new ArrayList<>();

    private Matrix(Options options, @Nullable Cable cable) {
        this.options = options;
        this.cable = cable;
        this.out = new ResultFile(options.path("out"));
        this.seed = Long.parseLong(options.text("seed", "1"));
        this.peer = options.text("peer", "peer");
        this.isQuick = options.text("extent", "full").equals("quick");
        Pattern wanted = Pattern.compile(options.text("cells", ".*"));
        this.cells = Cells.all().stream().filter(it -> wanted.matcher(it.name()).find()).toList();
    }

    public static void main(String... words) throws IOException {
        Options options = new Options(words);
        try (Cable cable = options.has("cable") ? cable(options) : null;
                LineClient oracle = new LineClient(options.address("oracle"))) {
            Matrix matrix = new Matrix(options, cable);
            matrix.run(oracle);
            if (cable != null) {
                cable.set(Faults.NONE, 0); // for the next run
            }
            System.exit(matrix.summarize() ? 0 : 1);
        }
    }

    private static Cable cable(Options options) {
        return new Cable(new LineClient(options.address("cable")));
    }

    private void run(LineClient oracle) throws IOException {
        SortedMap<String, String> facts = new TreeMap<>();
        facts.put("peer", String.join(" ", oracle.ask("hello")));
        facts.put("seed", Long.toString(seed));
        out.facts(facts);
        for (int ip : new int[] {4, 6}) {
            if (options.has("ipv" + ip)) {
                for (String gso : options.words("gso", "on,off")) {
                    run(oracle, ip, gso.equals("on"));
                }
            }
        }
    }

    private void run(LineClient oracle, int ip, boolean gso) throws IOException {
        String[] addresses = options.required("ipv" + ip).split(",", 2);
        String host = ip == 6 ? "[" + addresses[0] + "]" : addresses[0];
        String uri = "roce://" + host + "?gso=" + (gso ? "on" : "off");
        try (Device device = Devices.open(uri)) {
            Side ours = new VerbsSide("Verbena", device);
            Side theirs = new OracleSide(peer, oracle, addresses[1]);
            for (int mtu : options.numbers("mtus", "1024,4096")) {
                for (Faults faults : cable == null ? List.of(Faults.NONE) : faults(gso)) {
                    Conditions conditions = new Conditions(ip, mtu, gso, faults);
                    if (!isQuick || conditions.isQuick()) {
                        run(conditions, ours, theirs);
                    }
                }
            }
        }
    }

    /// Without GSO each kind of fault alone would show nothing new.
    private static List<Faults> faults(boolean gso) {
        return gso ? List.of(Faults.values()) : List.of(Faults.NONE, Faults.ALL);
    }

    private void run(Conditions conditions, Side ours, Side theirs) throws IOException {
        CellRunner run = new CellRunner(conditions, cable, seed);
        long startNs = System.nanoTime();
        int red = 0;
        int count = 0;
        for (Cell cell : cells) {
            if (cell.isPlayed(conditions)) {
                red += keep(run.cell(cell, ours, theirs, ours));
                red += keep(run.cell(cell, theirs, ours, ours));
                count += 2;
            }
        }
        System.out.printf(
                "%-46s %3d of %3d green  %5.1f s%n",
                conditions, count - red, count, (System.nanoTime() - startNs) / 1e9);
    }

    private int keep(Result result) throws IOException {
        results.add(result);
        out.append(result);
        if (result.isRed()) {
            System.out.printf(
                    "  red: %s, from %s: %s%n", result.cell(), result.requester(), result.reason());
        }
        return result.isRed() ? 1 : 0;
    }

    /// Prints the totals; returns whether nothing is red.
    private boolean summarize() {
        long red = results.stream().filter(Result::isRed).count();
        System.out.printf(
                "%d cells played, %d red; %,d packets, %,d lost on purpose, %,d sent again by us%n",
                results.size(),
                red,
                results.stream().mapToLong(Result::packets).sum(),
                results.stream().mapToLong(Result::lost).sum(),
                results.stream().mapToLong(Result::retransmissions).sum());
        return red == 0 && !results.isEmpty();
    }
}
