package dev.verbena.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.runner.RunnerException;

/// Measures the transport in some two minutes, and fails when its data path allocates, when a queue
/// pair takes too much memory, or when queue pairs do not share evenly.
///
/// Time is shown beside its goal; it fails the gate only far beyond it, because others use the
/// machine too.
public final class TransportGate {
    private static final int PATH_MTU = 4096;

    private static final List<Goal> GOALS =
            List.of(
                    new Goal("WRITE of 1 MiB beside MemorySegment.copy", 0.5, 0.3, true),
                    new Goal("WRITE of 8 bytes, alone", 400, 1500, false),
                    new Goal("10,000 queue pairs on a device, connected", 1024, 1024, false),
                    new Goal("10,000 queue pairs on a device, idle again", 1024, 1024, false),
                    new Goal("Jain index of 1,000 active pairs", 0.99, 0.99, true));

    private final List<Measure> measures = new ArrayList<>();
    private final List<Figure> figures = new ArrayList<>();

    /// What a figure is meant to reach, and what fails the gate.
    private record Goal(String name, double goal, double limit, boolean isLeast) {
        boolean isMissedBy(double value, double bound) {
            return isLeast ? value < bound : value > bound;
        }
    }

    private TransportGate() {
        for (String bytes : List.of("8", "1048576")) {
            Map<String, String> parameters = Map.of("bytes", bytes);
            measures.add(Measure.gated("TransportBenchmark.write", parameters));
            measures.add(Measure.gated("TransportBenchmark.send", parameters));
            measures.add(Measure.gated("TransportBenchmark.writeSelectively", parameters));
            measures.add(Measure.gated("TransportBenchmark.sendSelectively", parameters));
            measures.add(Measure.shown("TransportBenchmark.writePleasantly", parameters));
            measures.add(Measure.shown("TransportBenchmark.sendPleasantly", parameters));
        }
        for (String bytes : List.of("8", "4096")) {
            Map<String, String> parameters = Map.of("bytes", bytes);
            measures.add(Measure.gated("DatagramBenchmark.datagram", parameters));
            measures.add(Measure.gated("DatagramBenchmark.sharedReceive", parameters));
        }
    }

    /// Takes the directory that the results go to.
    public static void main(String[] arguments) throws RunnerException, IOException {
        if (arguments.length != 1) {
            System.err.println("usage: TransportGate <directory for the results>");
            System.exit(2);
        }
        TransportGate gate = new TransportGate();
        gate.measure();
        Path directory = Files.createDirectories(Path.of(arguments[0]));
        Files.writeString(directory.resolve("transport.md"), gate.page());
        System.exit(gate.judge() ? 0 : 1);
    }

    private void measure() throws RunnerException, IOException {
        for (Measure measure : measures) {
            measure.run(3, 700, 1500);
            System.out.println(line(measure));
        }
        figures.addAll(Figure.forked(TransportCost.class, 3, "-Xmx512m"));
        figures.addAll(Figure.forked(TransportScale.class, 1, "-Xmx2g"));
        for (Figure figure : figures) {
            System.out.printf("%-52s %s%n", figure.name(), amount(figure));
        }
    }

    private boolean judge() {
        boolean passed = true;
        for (Measure measure : measures) {
            double most = bytesMax(measure);
            if (measure.mustNotAllocate && measure.medianBytes() > most) {
                passed = false;
                System.out.printf(
                        "FAILED: %s %s allocates %.4f B/op; the most is %.2f%n",
                        measure.benchmark, measure.parameters, measure.medianBytes(), most);
            }
        }
        for (Goal goal : GOALS) {
            double value = value(goal.name);
            if (goal.isMissedBy(value, goal.goal)) {
                boolean failed = goal.isMissedBy(value, goal.limit);
                passed &= !failed;
                System.out.printf(
                        Locale.ROOT,
                        "%s: %s is %.3f; the goal is %s%n",
                        failed ? "FAILED" : "missed",
                        goal.name,
                        value,
                        goal.goal);
            }
        }
        return passed;
    }

    /// A large operation takes long, so the bound is per packet.
    private static double bytesMax(Measure measure) {
        int bytes = Integer.parseInt(measure.parameters.getOrDefault("bytes", "0"));
        return WireGate.bytesMax(measure) * Math.max(1, bytes / PATH_MTU);
    }

    private double value(String name) {
        return figures.stream()
                .filter(figure -> figure.name().equals(name))
                .mapToDouble(Figure::value)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("nothing measures " + name));
    }

    private String page() throws IOException {
        StringBuilder page = new StringBuilder();
        page.append(
                """
                <!-- Generated by `bin/bench transport`; change the benchmarks, not this page. -->
                # What the transport costs

                %s
                Two devices joined in memory, one thread, path MTU 4096. An operation is the post,
                the packets, the acknowledgement and the completion, both sides together, without
                sockets. Operations use the primitive form; those named "pleasantly" use the short
                form with slices; "selectively" is between two that repeat only what is lost, which
                nothing is here. Times of the second table are medians of three JVMs. The bytes of
                a datagram include its 40 bytes of header. A shared receive is a SEND of a reliable
                connection into a shared receive queue.

                | operation | bytes | ns/op | B/op |
                |---|---:|---:|---:|
                """
                        .formatted(Report.machine()));
        for (Measure measure : measures) {
            page.append(
                    String.format(
                            Locale.ROOT,
                            "| %s | %s | %.0f | %.2f |%n",
                            measure.benchmark.substring(measure.benchmark.indexOf('.') + 1),
                            measure.parameters.get("bytes"),
                            measure.medianNs(),
                            measure.medianBytes()));
        }
        page.append(
                """

                B/op is JMH's count of bytes allocated per operation, in the whole JVM. Above 0.05
                per packet in the primitive form the command fails.

                | figure | measured | goal |
                |---|---:|---:|
                """);
        for (Figure figure : figures) {
            page.append(
                    "| %s | %s | %s |%n".formatted(figure.name(), amount(figure), goal(figure)));
        }
        page.append(
                """

                A queue pair is one end of a connection, with queues of 128 and 128, before its
                first request and after it has sent and answered a SEND, a WRITE and a READ. A
                device is counted with its domain, completion queue, region and one queue pair.

                The first limit is the default of 65,536 queue pairs per device, which an option
                raises. The next is the heap, at about a gigabyte for each million queue pairs. The
                limit in time is that one thread does all work. All-to-all over RC needs n² queue
                pairs for n hosts.
                """);
        return page.toString();
    }

    private static String goal(Figure figure) {
        return GOALS.stream()
                .filter(goal -> goal.name.equals(figure.name()))
                .map(goal -> (goal.isLeast ? "at least " : "at most ") + number(goal.goal))
                .findFirst()
                .orElse("");
    }

    private static String amount(Figure figure) {
        String unit = figure.unit().equals("ratio") ? "" : " " + figure.unit();
        return (number(figure.value()) + unit).strip();
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value >= 10 ? "%,.0f" : "%.3f", value);
    }

    private static String line(Measure measure) {
        return String.format(
                Locale.ROOT,
                "%-36s %-18s %10.1f ns/op %8.4f B/op",
                measure.benchmark,
                measure.parameters,
                measure.medianNs(),
                measure.medianBytes());
    }
}
