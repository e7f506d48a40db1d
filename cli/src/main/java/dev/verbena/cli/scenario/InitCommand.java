package dev.verbena.cli.scenario;

import dev.verbena.scenario.ScenarioSchema;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `verbena init`: writes a scenario to begin with.
@Command(
        name = "init",
        description = {
            "Writes a commented scenario that runs as it is.",
            "An existing file is not overwritten."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class InitCommand implements Callable<Integer> {
    private static final String SCHEMA = "scenario.schema.json";

    @CommandLine.Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(arity = "0..1", paramLabel = "NAME", description = "File to write (scenario.yaml).")
    private @Nullable Path name;

    @Option(
            names = "--schema",
            description =
                    "Writes the JSON Schema beside it too, as scenario.schema.json: editors then"
                            + " complete and check keys.")
    private boolean isSchemaWanted;

    /// Made by picocli.
    public InitCommand() {}

    @Override
    public Integer call() throws IOException {
        Path file = name == null ? Path.of("scenario.yaml") : name;
        PrintWriter out = spec.commandLine().getOut();
        Path schema = file.resolveSibling(SCHEMA);
        for (Path made : isSchemaWanted ? List.of(file, schema) : List.of(file)) {
            if (Files.exists(made)) {
                throw new CommandLine.ParameterException(
                        spec.commandLine(), made + " is there already; use another name");
            }
        }
        Files.writeString(file, ScenarioSchema.example());
        out.println("wrote " + file);
        if (isSchemaWanted) {
            Files.writeString(schema, ScenarioSchema.text());
            out.println("wrote " + schema);
        }
        out.println("next: verbena run " + file + " --report report.html");
        return CommandLine.ExitCode.OK;
    }
}
