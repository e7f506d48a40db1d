package dev.verbena.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/// Prints usage errors and failed reads and writes of files as one line each.
///
/// A usage error ends with the command that prints the help. Other exceptions are defects of
/// Verbena: they keep their stack traces.
final class ErrorLine implements IParameterExceptionHandler, IExecutionExceptionHandler {
    private static final String ERROR = "Error: ";

    @Override
    public int handleParseException(ParameterException wrong, String[] arguments) {
        CommandLine command = wrong.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        print(command, "%s%s; see %s --help".formatted(message(wrong), nearest(wrong), name));
        return CommandLine.ExitCode.USAGE;
    }

    private static String message(Exception failed) {
        String text = Objects.requireNonNullElse(failed.getMessage(), failed.toString());
        String line = text.replaceAll("\\s*\\R\\s*", " ").strip();
        return line.startsWith(ERROR) ? line.substring(ERROR.length()) : line;
    }

    private static String nearest(ParameterException wrong) {
        List<String> suggestions =
                wrong instanceof UnmatchedArgumentException unknown
                        ? unknown.getSuggestions()
                        : List.of();
        return suggestions.isEmpty() ? "" : "; did you mean " + suggestions.getFirst() + "?";
    }

    @Override
    public int handleExecutionException(Exception failed, CommandLine command, ParseResult parsed)
            throws Exception {
        Exception cause =
                failed instanceof UncheckedIOException it
                        ? Objects.requireNonNull(it.getCause())
                        : failed;
        if (!(cause instanceof IOException)) {
            throw failed;
        }
        switch (cause) {
            case NoSuchFileException none -> {
                print(command, "no file " + none.getFile());
                return CommandLine.ExitCode.USAGE;
            }
            case AccessDeniedException denied -> print(command, denied.getFile() + ": no access");
            default -> print(command, message(cause));
        }
        return CommandLine.ExitCode.SOFTWARE;
    }

    private static void print(CommandLine command, String line) {
        command.getOut().flush();
        PrintWriter err = command.getErr();
        err.println(command.getCommandSpec().qualifiedName() + ": " + line);
        err.flush();
    }
}
