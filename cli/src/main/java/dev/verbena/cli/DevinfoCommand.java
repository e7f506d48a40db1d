package dev.verbena.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `verbena devinfo`: shows devices and their ports, in the form of `ibv_devinfo`.
@Command(
        name = "devinfo",
        description = "Shows devices and their ports, as ibv_devinfo does.",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  verbena devinfo",
            "  verbena devinfo -v roce://192.0.2.10",
            "  verbena devinfo -l"
        })
final class DevinfoCommand implements Callable<Integer> {
    @CommandLine.Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "URI",
            arity = "0..*",
            description = "Devices to show (all that can be opened).")
    private List<String> uris = new ArrayList<>();

    @Option(
            names = {"-v", "--verbose"},
            description = "Also shows limits, GIDs and partition keys.")
    private boolean verbose;

    @Option(
            names = {"-l", "--list"},
            description = "Prints only the URIs of the devices.")
    private boolean list;

    @Option(names = "--json", description = "Prints one JSON object per device and line.")
    private boolean json;

    /// Made by picocli.
    DevinfoCommand() {}

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        List<String> wanted =
                uris.isEmpty() ? Devices.available().stream().map(URI::toString).toList() : uris;
        if (list) {
            out.print(wanted.size() + " HCA" + (wanted.size() == 1 ? "" : "s") + " found:\n");
            wanted.forEach(uri -> out.print("\t" + uri + "\n"));
            out.print("\n");
            return CommandLine.ExitCode.OK;
        }
        int status = CommandLine.ExitCode.OK;
        for (String uri : wanted) {
            try (Device device = Devices.open(uri)) {
                show(device, out);
            } catch (VerbsException failed) {
                out.flush();
                spec.commandLine().getErr().println("verbena devinfo: " + failed.getMessage());
                status = CommandLine.ExitCode.SOFTWARE;
            }
        }
        return status;
    }

    private void show(Device device, PrintWriter out) throws IOException {
        if (!json) {
            DevinfoText.print(device, verbose, out);
            return;
        }
        JsonFactory factory =
                JsonFactory.builder().disable(StreamWriteFeature.AUTO_CLOSE_TARGET).build();
        try (JsonGenerator generator = factory.createGenerator(out)) {
            DevinfoJson.write(device, generator);
        }
        out.print("\n");
    }
}
