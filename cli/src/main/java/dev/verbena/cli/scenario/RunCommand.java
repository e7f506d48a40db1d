package dev.verbena.cli.scenario;

import dev.verbena.cli.metrics.Figures;
import dev.verbena.cli.metrics.MetricTarget;
import dev.verbena.scenario.report.HtmlReport;
import dev.verbena.scenario.report.JUnitXml;
import dev.verbena.scenario.report.Provenance;
import dev.verbena.scenario.report.ResultJson;
import dev.verbena.scenario.report.TextReport;
import dev.verbena.scenario.run.Result;
import dev.verbena.scenario.run.ScenarioRun;
import dev.verbena.verbs.InvalidRequestException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `verbena run`: runs a scenario and reports.
@Command(
        name = "run",
        description = {
            "Runs a scenario on a simulated fabric, and says what it shows.",
            "Ctrl-C ends it early, with what is known so far.",
            "Exit status: 0 all of assert holds, 1 something does not or the run ended early,"
                    + " 2 usage error or a mistake in the file."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  verbena init my.yaml && verbena run my.yaml --report my.html",
            "  verbena run my.yaml --junit TEST-my.xml --json my.json"
        })
public final class RunCommand implements Callable<Integer> {
    /// Of the checkout, as `bin/verbena` knows it; empty elsewhere.
    static final String COMMIT = System.getProperty("verbena.commit", "");

    @CommandLine.Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "FILE", description = "The scenario, in YAML.")
    private Path file = Path.of("");

    @Option(
            names = "--report",
            paramLabel = "FILE",
            description = "Writes an HTML page that needs no network.")
    private @Nullable Path report;

    @Option(names = "--json", paramLabel = "FILE", description = "Writes all figures as JSON.")
    private @Nullable Path json;

    @Option(
            names = "--junit",
            paramLabel = "FILE",
            description = "Writes what must hold as JUnit's XML, a test for each line of assert.")
    private @Nullable Path junit;

    @Option(names = "--metrics", paramLabel = "PORT|FILE", description = MetricTarget.HELP)
    private Optional<String> metrics = Optional.empty();

    @Option(
            names = "--any-file",
            description = "The scenario may name files outside its folder and those below it.")
    private boolean mayNameAll;

    /// Made by picocli.
    public RunCommand() {}

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        ScenarioFile.Loaded loaded = new ScenarioFile(file, mayNameAll).load(err);
        if (loaded == null) {
            return CommandLine.ExitCode.USAGE;
        }
        try (RunWatch watch = new RunWatch(err);
                Figures figures = Figures.open(metrics, err)) {
            RunFigures shown = new RunFigures(figures, watch);
            Result result = ScenarioRun.of(loaded.scenario(), shown);
            watch.clear();
            shown.end(result);
            write(result, loaded.text(), out);
            out.flush();
            return result.isGood() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
        } catch (IllegalArgumentException | InvalidRequestException wrong) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), file + ": " + wrong.getMessage(), wrong);
        }
    }

    private void write(Result result, String text, PrintWriter out) throws IOException {
        Provenance from = new Provenance(file.toString(), text, spec.root().version()[0], COMMIT);
        out.print(TextReport.of(result, from));
        // What cannot be written below must not take it along.
        out.flush();
        if (report != null) {
            Files.writeString(report, HtmlReport.of(result, from));
            out.println(" report: " + report);
        }
        if (json != null) {
            Files.writeString(json, ResultJson.of(result, from));
        }
        if (junit != null) {
            Files.writeString(junit, JUnitXml.of(result, from));
        }
    }

    /// The version and the commit: results of different builds are not mixed in one sweep.
    static String build(CommandSpec spec) {
        String version = spec.root().version()[0];
        return COMMIT.isEmpty() ? version : version + " " + COMMIT;
    }
}
