package dev.verbena.cli;

import dev.verbena.cli.ibsim.IbsimOptions;
import dev.verbena.cli.ibsim.IbsimServer;
import dev.verbena.fabric.Cable;
import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.FabricSettings;
import dev.verbena.fabric.FatTree;
import dev.verbena.fabric.Netfile;
import dev.verbena.fabric.Rate;
import dev.verbena.fabric.Topology;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/// `verbena ibsim`: a simulated subnet for OpenSM and infiniband-diags.
@Command(
        name = "ibsim",
        description = {
            "Serves a simulated InfiniBand subnet to OpenSM and infiniband-diags, unmodified, by"
                    + " the protocol of ibsim. Data takes the routes that the subnet manager"
                    + " writes.",
            "Its input is a console: unplug CABLE SECONDS, traffic BYTES, counters HOST, quit."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  verbena ibsim --hosts 128 --radix 16 --traffic 1M",
            "  export IBSIM_SERVER_NAME=127.0.0.1 LD_PRELOAD=/usr/lib/umad2sim/libumad2sim.so",
            "  opensm -o; ibnetdiscover; perfquery -x 1"
        })
final class IbsimCommand implements Callable<Integer> {
    private static final double METRES = 20;
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long FOR_EVER_NS = Long.MAX_VALUE / 4;

    @CommandLine.Spec private CommandSpec spec = CommandSpec.create();

    @Option(names = "--hosts", paramLabel = "N", description = "Hosts (128).")
    private int hosts = 128;

    @Option(names = "--radix", paramLabel = "PORTS", description = "Ports of a switch (64).")
    private int radix = 64;

    @Option(
            names = "--topology",
            paramLabel = "FILE",
            description =
                    "Reads the fabric from a file in ibnetdiscover's form, instead of a tree.")
    private @Nullable Path file;

    @Option(
            names = "--rate",
            paramLabel = "RATE",
            converter = RateOption.class,
            description = "Rate of cables as 4xHDR, or in Gb/s (4xHDR).")
    private Rate rate = Rate.parse("4xHDR");

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "UDP port on the loopback address; clients use those behind it (7070).")
    private int port = 7070;

    @Option(names = "--clients", paramLabel = "N", description = "Most clients at a time (64).")
    private int clients = 64;

    @Option(
            names = "--ratio",
            paramLabel = "RATIO",
            description =
                    "Simulated seconds in a second, or fewer where the machine cannot do it (1).")
    private double ratio = 1;

    @Option(
            names = "--traffic",
            paramLabel = "BYTES",
            converter = ByteCount.class,
            description =
                    "When all ports are active, each host writes so many bytes to another (0).")
    private long traffic;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "Ends after so many seconds (0: at quit).")
    private int seconds;

    /// Made by picocli.
    IbsimCommand() {}

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        try {
            Fabric fabric = new Fabric(topology(), settings());
            InetSocketAddress address =
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            long limitNs = seconds > 0 ? seconds * SECOND_NS : FOR_EVER_NS;
            IbsimOptions options = new IbsimOptions(address, clients, ratio, traffic, limitNs);
            try (IbsimServer server = new IbsimServer(fabric, options, out)) {
                out.println(fabric);
                out.println("serves at port " + server.address().getPort());
                out.flush();
                listen(server);
                server.serve();
                out.println(server.summary());
            }
            return CommandLine.ExitCode.OK;
        } catch (IllegalArgumentException wrong) {
            throw new CommandLine.ParameterException(spec.commandLine(), wrong.getMessage(), wrong);
        }
    }

    private Topology topology() throws IOException {
        return file == null
                ? FatTree.ofRadix(hosts, radix, 1).topology()
                : Netfile.parse(file.getFileName().toString(), Files.readAllLines(file));
    }

    private FabricSettings settings() {
        return FabricSettings.INFINIBAND.withCable(Cable.ofMetres(rate, METRES));
    }

    /// Hands lines of the standard input over; its end is no end of the server.
    private static void listen(IbsimServer server) {
        Thread.ofPlatform()
                .daemon()
                .name("console")
                .start(
                        () -> {
                            BufferedReader lines =
                                    new BufferedReader(
                                            new InputStreamReader(
                                                    System.in, StandardCharsets.UTF_8));
                            try {
                                String line = lines.readLine();
                                while (line != null) {
                                    server.console(line);
                                    line = lines.readLine();
                                }
                            } catch (IOException closed) {
                                // As when it has ended.
                                return;
                            }
                        });
    }
}
