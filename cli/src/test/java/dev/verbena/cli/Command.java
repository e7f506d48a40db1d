package dev.verbena.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/// One run of the command, with what it printed.
record Command(int status, String out, String err) {

    static Command run(Object... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        String[] words = new String[arguments.length];
        for (int i = 0; i < words.length; i++) {
            words[i] = arguments[i].toString();
        }
        int status =
                Main.commandLineFor(words)
                        .setOut(new PrintWriter(out))
                        .setErr(new PrintWriter(err))
                        .setColorScheme(
                                CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF))
                        .execute(words);
        return new Command(status, out.toString(), err.toString());
    }
}
