package dev.verbena.cli;

import dev.verbena.wire.capture.CaptureReader;
import dev.verbena.wire.capture.CaptureStatus;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `verbena decode`: a line for each packet of a capture, with its checksums checked.
@Command(
        name = "decode",
        description = {
            "Shows the RDMA packets of a capture, one to a line, and checks their ICRC and VCRC.",
            "Ends with a summary: flows, retransmissions, NAKs, congestion marks."
        },
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  verbena decode capture.pcap",
            "  verbena decode --qp 0x12 --opcode write capture.pcapng",
            "  verbena decode --bad --strict capture.pcap",
            "  tcpdump -w - udp port 4791 | verbena decode -"
        })
final class DecodeCommand implements Callable<Integer> {
    @CommandLine.Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "FILE",
            description =
                    "A pcap or pcapng file of Ethernet or InfiniBand (ERF, DLT 247, DLT 147)"
                            + " frames, or - for standard input.")
    private String file = "-";

    @Option(
            names = "--qp",
            paramLabel = "QPN",
            description =
                    "Shows only packets to this queue pair, or datagrams from " + "it; repeatable.")
    private List<String> queuePairs = new ArrayList<>();

    @Option(
            names = "--opcode",
            paramLabel = "WORDS",
            description =
                    "Shows only opcodes with these words in their name (write, "
                            + "\"read response\", ud), or with this code (0x0a); "
                            + "repeatable.")
    private List<String> opcodes = new ArrayList<>();

    @Option(names = "--bad", description = "Shows only malformed or corrupt packets.")
    private boolean onlyBad;

    @Option(names = "--summary", description = "Prints only the summary.")
    private boolean onlySummary;

    @Option(
            names = "--json",
            description = "Prints one JSON object per packet and line, then a summary.")
    private boolean asJson;

    @Option(
            names = "--strict",
            description = "Exits with status 1 when a packet is malformed or corrupt.")
    private boolean strict;

    DecodeCommand() {}

    @Override
    public Integer call() {
        FrameFilter filter = new FrameFilter(numbers(), opcodes, onlyBad);
        PrintWriter out = spec.commandLine().getOut();
        try (CaptureReader reader = CaptureReader.open(open())) {
            int status = decode(reader, filter, out);
            out.flush();
            return status;
        } catch (NoSuchFileException e) {
            complain("no file " + e.getMessage());
            return CommandLine.ExitCode.USAGE;
        } catch (IOException e) {
            complain(file + ": " + e.getMessage());
            return CommandLine.ExitCode.SOFTWARE;
        }
    }

    private List<Integer> numbers() {
        List<Integer> numbers = new ArrayList<>();
        for (String text : queuePairs) {
            try {
                numbers.add(Integer.decode(text));
            } catch (NumberFormatException e) {
                throw new CommandLine.ParameterException(
                        spec.commandLine(), "--qp " + text + " is not a number like 0x12 or 18", e);
            }
        }
        return numbers;
    }

    private ReadableByteChannel open() throws IOException {
        return file.equals("-")
                ? Channels.newChannel(System.in)
                : Files.newByteChannel(Path.of(file));
    }

    private int decode(CaptureReader reader, FrameFilter filter, PrintWriter out)
            throws IOException {
        CapturedFrame frame = new CapturedFrame();
        FrameText text = new FrameText(spec.commandLine().getColorScheme().ansi());
        FrameJson json = new FrameJson(out);
        FlowTable table = new FlowTable();
        long number = 0;
        CaptureStatus status = reader.next();
        while (status == CaptureStatus.PACKET && !isClosed(out, number)) {
            number++;
            frame.read(reader, number);
            if (number == 1) {
                text.startAt(frame);
                heading(out);
            }
            if (filter.accepts(frame)) {
                table.add(frame);
                if (asJson && !onlySummary) {
                    json.write(frame);
                } else if (!onlySummary) {
                    out.println(text.line(frame));
                }
            }
            status = reader.next();
        }
        boolean readable = number > 0 || !status.isProblem();
        if (readable && asJson) {
            json.writeSummary(table);
        } else if (readable) {
            SummaryText.print(table, out);
        }
        return finish(reader, status, table);
    }

    private void heading(PrintWriter out) {
        if (!asJson && !onlySummary) {
            out.println(FrameText.heading());
        }
    }

    /// Whether the reader of the output has gone, as `head` does; asked now and then, since asking
    /// flushes.
    private static boolean isClosed(PrintWriter out, long number) {
        return number % 4096 == 4095 && out.checkError();
    }

    private int finish(CaptureReader reader, CaptureStatus status, FlowTable table) {
        if (status.isProblem()) {
            spec.commandLine().getOut().flush();
            complain(file + " cannot be read to its end: " + reader.problemText());
            return CommandLine.ExitCode.SOFTWARE;
        }
        return strict && table.bad() > 0 ? CommandLine.ExitCode.SOFTWARE : CommandLine.ExitCode.OK;
    }

    private void complain(String what) {
        spec.commandLine().getErr().println("verbena decode: " + what);
    }
}
