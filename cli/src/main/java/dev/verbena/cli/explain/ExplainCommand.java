package dev.verbena.cli.explain;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `verbena explain`: why a work request, or a call before it, failed.
@Command(
        name = "explain",
        description = "Explains the status of a failed completion, or an errno: causes as a tree.",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  verbena explain 12/129",
            "  verbena explain IBV_WC_REM_ACCESS_ERR",
            "  verbena explain Got completion with error 12, opcode 0, len 0, vendor err 129",
            "  verbena explain ETIMEDOUT"
        })
public final class ExplainCommand implements Callable<Integer> {
    @CommandLine.Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "STATUS[/VENDOR]",
            arity = "0..*",
            description = "A number or name, with the vendor's code; or a line of a log.")
    private List<String> words = new ArrayList<>();

    @Option(
            names = {"-l", "--list"},
            description = "Lists everything that can be explained.")
    private boolean list;

    @Option(names = "--json", description = "Prints one JSON object.")
    private boolean json;

    /// Made by picocli.
    public ExplainCommand() {}

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        ExplainText text = new ExplainText(out, spec.commandLine().getColorScheme().ansi());
        if (list) {
            text.list();
            return CommandLine.ExitCode.OK;
        }
        Optional<Explanation> answer = Question.answer(String.join(" ", words));
        if (answer.isEmpty()) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(),
                    words.isEmpty()
                            ? "say what to explain, such as 12/129; --list has all"
                            : "nothing known in '" + String.join(" ", words) + "'; --list has all");
        }
        if (json) {
            write(answer.get(), out);
        } else {
            text.print(answer.get());
        }
        return CommandLine.ExitCode.OK;
    }

    private static void write(Explanation explanation, PrintWriter out) throws IOException {
        JsonFactory factory =
                JsonFactory.builder().disable(StreamWriteFeature.AUTO_CLOSE_TARGET).build();
        try (JsonGenerator generator = factory.createGenerator(out)) {
            ExplainJson.write(explanation, generator);
        }
        out.print("\n");
    }
}
