package dev.verbena.cli.plan;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import dev.verbena.fabric.Netfile;
import dev.verbena.plan.Catalog;
import dev.verbena.plan.FabricPlan;
import dev.verbena.plan.Inputs;
import dev.verbena.plan.Plan;
import dev.verbena.plan.PlanException;
import dev.verbena.plan.PlanPicture;
import dev.verbena.plan.Settings;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `verbena plan`: switches, cables and limits of a fabric.
@Command(
        name = "plan",
        description = {
            "Plans a fabric: switches, cables, watts, latency and limits, InfiniBand and RoCE side"
                    + " by side, with the source of every figure. It simulates and measures"
                    + " nothing.",
            "Exit status: 0 planned, 2 usage error, or no such plan."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  verbena plan --gpus 512",
            "  verbena plan --gpus 2048 --rate 400 --fabric ib,roce",
            "  verbena plan --gpus 1024 --oversubscription 2 --fabric ib --topology ib.net",
            "  verbena plan --gpus 256 --fabric roce --picture fabric.svg",
            "  verbena plan cluster.yaml --catalog ours.yaml --markdown"
        })
public final class PlanCommand implements Callable<Integer> {
    private static final int FILE_BYTES_MAX = 4 << 20;

    @CommandLine.Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "FILE",
            description = "Inputs as YAML; flags replace what it says.")
    private @Nullable Path file;

    @Option(names = "--gpus", paramLabel = "N", description = "GPUs to connect.")
    private @Nullable String gpus;

    @Option(names = "--nodes", paramLabel = "N", description = "The same as nodes.")
    private @Nullable String nodes;

    @Option(names = "--rate", paramLabel = "GBITS", description = "Rate of a link. Default: 400.")
    private @Nullable String rate;

    @Option(
            names = "--fabric",
            paramLabel = "KIND,…",
            description = "ib, roce or both. Default: ib,roce.")
    private @Nullable String fabric;

    @Option(
            names = "--layout",
            paramLabel = "LAYOUT",
            description = "rails, planes or nodes. Default: rails.")
    private @Nullable String layout;

    @Option(
            names = "--oversubscription",
            paramLabel = "RATIO",
            description = "Hosts of a leaf for each uplink, at most. Default: 1.")
    private @Nullable String oversubscription;

    @Option(names = "--switch", paramLabel = "NAME,…", description = "Switches of the catalogue.")
    private @Nullable String switches;

    @Option(
            names = "--radix",
            paramLabel = "N",
            description = "Switches of N links, instead of one of the catalogue.")
    private @Nullable String radix;

    @Option(
            names = "--team",
            paramLabel = "WHAT",
            description = "Skills of your team: ib, ethernet, both or none.")
    private @Nullable String team;

    @Option(
            names = "--needs",
            paramLabel = "NEED,…",
            description =
                    "lowest-latency, in-network-reduction, many-vendors, one-network-for-all,"
                            + " fewest-settings.")
    private @Nullable String needs;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "Any other input; docs/planning.md lists them.")
    private Map<String, String> others = new LinkedHashMap<>();

    @Option(
            names = "--catalog",
            paramLabel = "FILE",
            description = "Adds switches, media and NICs to the catalogue.")
    private @Nullable Path catalog;

    @Option(
            names = "--topology",
            paramLabel = "FILE",
            description = "Writes the netfile that verbena sim and ibsim read; of one kind.")
    private @Nullable Path topology;

    @Option(names = "--picture", paramLabel = "FILE", description = "Draws the plan as SVG.")
    private @Nullable Path picture;

    @Option(names = "--json", description = "Prints one JSON object.")
    private boolean json;

    @Option(names = "--markdown", description = "Prints markdown.")
    private boolean markdown;

    /// Made by picocli.
    public PlanCommand() {}

    @Override
    public Integer call() throws IOException {
        if (json && markdown) {
            throw wrong("--json and --markdown exclude each other");
        }
        try {
            Plan plan = Plan.of(Inputs.of(settings()), catalog());
            if (topology != null) {
                writeTopologies(plan, topology);
            }
            if (picture != null) {
                Files.writeString(picture, PlanPicture.draw(plan));
            }
            print(new PlanReport(plan));
            return CommandLine.ExitCode.OK;
        } catch (PlanException refused) {
            throw wrong(String.valueOf(refused.getMessage()));
        }
    }

    private CommandLine.ParameterException wrong(String what) {
        return new CommandLine.ParameterException(spec.commandLine(), what);
    }

    private Settings settings() throws IOException {
        Settings settings = new Settings();
        if (file != null) {
            settings.putAll(file.toString(), read(file));
        }
        put(settings, "gpus", gpus);
        put(settings, "nodes", nodes);
        put(settings, "rate", rate);
        put(settings, "fabric", fabric);
        put(settings, "layout", layout);
        put(settings, "oversubscription", oversubscription);
        put(settings, "switch", switches);
        put(settings, "radix", radix);
        put(settings, "team", team);
        put(settings, "needs", needs);
        others.forEach((key, value) -> settings.put(key, value, "--set " + key));
        return settings;
    }

    private static void put(Settings settings, String key, @Nullable String value) {
        if (value != null) {
            settings.put(key, value, "--" + key);
        }
    }

    private Catalog catalog() throws IOException {
        Catalog own = Catalog.builtIn();
        return catalog == null ? own : own.with(Catalog.parse(catalog.toString(), read(catalog)));
    }

    /// Reads a file, or a pipe, up to a limit.
    private static String read(Path file) throws IOException {
        if (Files.isDirectory(file)) {
            throw new PlanException(file + " is a directory; name a file of YAML");
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(FILE_BYTES_MAX + 1);
            if (bytes.length > FILE_BYTES_MAX) {
                throw new PlanException(
                        "%s: it has more than %,d bytes; use fewer"
                                .formatted(file, FILE_BYTES_MAX));
            }
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException _) {
            throw new PlanException(file + ": it is no text in UTF-8; save it as UTF-8");
        }
    }

    /// A file for each plane, with its number where there are several.
    private void writeTopologies(Plan plan, Path to) throws IOException {
        List<FabricPlan> fabrics = plan.fabrics();
        if (plan.inputs().networks().size() != 1) {
            throw wrong("--topology writes one network: add --fabric ib or --fabric roce");
        }
        FabricPlan only = fabrics.getFirst();
        if (only.plane().hosts() + only.plane().managementLinks() < 2) {
            throw wrong("--topology needs two hosts: use more nodes or NICs");
        }
        int planes = only.planes().size();
        for (int i = 0; i < planes; i++) {
            Path file = planes == 1 ? to : numbered(to, i + 1);
            Files.writeString(file, Netfile.print(only.topology(i)));
        }
    }

    private static Path numbered(Path file, int number) {
        String name = String.valueOf(file.getFileName());
        int dot = name.lastIndexOf('.');
        String changed =
                dot <= 0
                        ? name + "-" + number
                        : name.substring(0, dot) + "-" + number + name.substring(dot);
        return file.resolveSibling(changed);
    }

    private void print(PlanReport report) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            JsonFactory factory =
                    JsonFactory.builder().disable(StreamWriteFeature.AUTO_CLOSE_TARGET).build();
            try (JsonGenerator generator = factory.createGenerator(out)) {
                PlanJson.write(report, generator);
            }
            out.print("\n");
        } else if (markdown) {
            new PlanMarkdown(out).print(report);
        } else {
            new PlanText(out).print(report);
        }
    }
}
