package dev.verbena.cli;

import dev.verbena.cli.ibsim.SaSession;
import dev.verbena.subnet.SaAnswer;
import dev.verbena.subnet.SaClient;
import dev.verbena.wire.mad.MadMethod;
import dev.verbena.wire.mad.MadStatus;
import dev.verbena.wire.mad.PathRecord;
import dev.verbena.wire.mad.SaHeader;
import dev.verbena.wire.mad.SaStatus;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `verbena saquery`: what a subnet manager tells hosts.
@Command(
        name = "saquery",
        description = {
            "Asks the subnet manager of a simulated subnet (verbena ibsim, or ibsim) as a host"
                + " does, and prints the table that comes. The manager may be verbena sm or OpenSM."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  verbena saquery nodes",
            "  verbena saquery paths --from 1 --to 7",
            "  verbena saquery paths --from 1 --to 7 --count 100000"
        })
final class SaqueryCommand implements Callable<Integer> {
    private static final int DLID = 1 << 4;
    private static final int SLID = 1 << 5;
    private static final int LID_MAX = 0xBFFF;
    private static final double NS_PER_SECOND = 1e9;

    @CommandLine.Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(
            index = "0",
            paramLabel = "TABLE",
            description = "nodes, links, paths, groups or services.")
    private String wanted = "";

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "UDP port of the server on the loopback address (7070).")
    private int port = 7070;

    @Option(
            names = "--node",
            paramLabel = "NAME",
            description = "Node at which it attaches (the first).")
    private String node = "";

    @Option(names = "--from", paramLabel = "LID", description = "Paths from this LID only.")
    private Optional<Integer> from = Optional.empty();

    @Option(names = "--to", paramLabel = "LID", description = "Paths to this LID only.")
    private Optional<Integer> to = Optional.empty();

    @Option(
            names = "--count",
            paramLabel = "N",
            description =
                    "Asks for one path N times, and prints how many answers came in a second.")
    private int count;

    @Option(
            names = "--window",
            paramLabel = "N",
            description = "Questions in flight with --count, 1 to 256 (32).")
    private int window = 32;

    /// Made by picocli.
    SaqueryCommand() {}

    @Override
    public Integer call() throws IOException {
        SaTable table = table();
        MemorySegment template = MemorySegment.ofArray(new byte[SaHeader.DATA_LENGTH]);
        long mask = 0;
        if (from.isPresent()) {
            PathRecord.SLID.write(template, 0, from.get());
            mask |= SLID;
        }
        if (to.isPresent()) {
            PathRecord.DLID.write(template, 0, to.get());
            mask |= DLID;
        }
        InetSocketAddress server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        try (SaSession session = new SaSession(server, node)) {
            if (count > 0) {
                return rate(session, table, template, mask);
            }
            session.ask(MadMethod.GET_TABLE, table.record, template, mask);
            return print(table, session.await());
        }
    }

    private SaTable table() {
        SaTable table;
        try {
            table = SaTable.valueOf(wanted.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException unknown) {
            throw usage("no table %s: use nodes, links, paths, groups or services", wanted);
        }
        boolean hasEnds = from.isPresent() || to.isPresent();
        if (hasEnds && table != SaTable.PATHS) {
            throw usage("--from and --to are for paths, not for %s", wanted);
        }
        for (Optional<Integer> lid : List.of(from, to)) {
            if (lid.isPresent() && (lid.get() < 1 || lid.get() > LID_MAX)) {
                throw usage("LID %s: use 1 to 49151", lid.get());
            }
        }
        if (count < 0 || (count > 0 && (from.isEmpty() || to.isEmpty()))) {
            throw usage("--count %s: ask for one path, with --from and --to", count);
        }
        if (window < 1 || window > SaClient.REQUESTS_MAX) {
            throw usage("--window %s: use 1 to 256", window);
        }
        return table;
    }

    private CommandLine.ParameterException usage(String text, Object value) {
        return new CommandLine.ParameterException(spec.commandLine(), text.formatted(value));
    }

    private int print(SaTable table, SaAnswer answer) throws IOException {
        boolean isEmpty = answer.end() == SaAnswer.End.ANSWERED && isNone(answer.status());
        if (!answer.isOk() && !isEmpty) {
            throw new IOException(why(answer));
        }
        PrintWriter out = spec.commandLine().getOut();
        out.println(table.head);
        answer.records().forEach(it -> out.println(table.line(it)));
        if (answer.records().isEmpty()) {
            out.println("(none)");
        }
        out.flush();
        return CommandLine.ExitCode.OK;
    }

    private static boolean isNone(int status) {
        return status == SaStatus.NO_RECORDS;
    }

    private static String why(SaAnswer answer) {
        return switch (answer.end()) {
            case SILENT -> "the subnet manager does not answer";
            case ABORTED -> "the subnet manager has given up its answer";
            case ANSWERED ->
                    "the subnet manager refuses: "
                            + switch (answer.status()) {
                                case MadStatus.BUSY -> "it is busy";
                                case SaStatus.INVALID_GID -> "no such port";
                                case SaStatus.TOO_MANY_RECORDS ->
                                        "too many records: name an end with --from or --to";
                                case SaStatus.REQUEST_INVALID -> "no such LID";
                                default ->
                                        String.format(
                                                Locale.ROOT, "status 0x%04x", answer.status());
                            };
        };
    }

    /// Keeps some questions in flight, and counts answers.
    private int rate(SaSession session, SaTable table, MemorySegment template, long mask)
            throws IOException {
        long startNs = System.nanoTime();
        int asked = 0;
        for (int answered = 0; answered < count; answered++) {
            while (asked < count && asked - answered < window) {
                session.ask(MadMethod.GET, table.record, template, mask);
                asked++;
            }
            SaAnswer answer = session.await();
            if (!answer.isOk()) {
                throw new IOException(why(answer));
            }
        }
        double seconds = (System.nanoTime() - startNs) / NS_PER_SECOND;
        PrintWriter out = spec.commandLine().getOut();
        out.printf(
                Locale.ROOT,
                "%,d paths in %.2f s: %,.0f a second, %d in flight%n",
                count,
                seconds,
                count / seconds,
                window);
        out.flush();
        return CommandLine.ExitCode.OK;
    }
}
