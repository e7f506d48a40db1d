package dev.verbena.cli.explain;

import java.io.PrintWriter;
import java.util.List;
import java.util.OptionalInt;
import picocli.CommandLine.Help.Ansi;

/// An explanation for a person: a few lines, then the tree.
final class ExplainText {
    private static final int COLUMNS = 96;

    private final PrintWriter out;
    private final Ansi ansi;

    ExplainText(PrintWriter out, Ansi ansi) {
        this.out = out;
        this.ansi = ansi;
    }

    void print(Explanation it) {
        out.print(bold(it.name()) + "  " + it.code() + "  " + it.alias() + "\n");
        wrap(it.meaning(), "", "");
        if (!it.vendor().isEmpty()) {
            wrap(it.vendor(), "", "");
        }
        List<Branch> branches = it.branches();
        for (int i = 0; i < branches.size(); i++) {
            Branch branch = branches.get(i);
            if (branch.title().isEmpty()) {
                causes(branch, "");
                continue;
            }
            boolean isLast = i == branches.size() - 1;
            out.print("│\n" + (isLast ? "└─ " : "├─ ") + bold(branch.title()) + "\n");
            causes(branch, isLast ? "   " : "│  ");
        }
    }

    private void causes(Branch branch, String before) {
        List<Cause> causes = branch.causes();
        for (int i = 0; i < causes.size(); i++) {
            Cause cause = causes.get(i);
            boolean isLast = i == causes.size() - 1;
            String below = before + (isLast ? "   " : "│  ");
            out.print((before + "│").stripTrailing() + "\n");
            wrap(cause.what(), before + (isLast ? "└─ " : "├─ "), below);
            wrap(cause.look(), below + "look  ", below + "      ");
            wrap(cause.remedy(), below + "do    ", below + "      ");
        }
    }

    /// The codes that can be asked for.
    void list() {
        for (WorkStatus status : WorkStatus.values()) {
            Question.status(status.code(), OptionalInt.empty())
                    .ifPresent(
                            it ->
                                    out.print(
                                            "%3d  %-26s  %-24s  %s\n"
                                                    .formatted(
                                                            it.code(),
                                                            it.alias(),
                                                            it.name(),
                                                            status.words())));
        }
        out.print("\n");
        for (Errno errno : Errno.values()) {
            out.print("%3d  %-26s  %s\n".formatted(errno.code(), errno.name(), errno.words()));
        }
    }

    /// Words up to the last column; the first line begins with one thing, the others with another.
    private void wrap(String text, String first, String next) {
        StringBuilder line = new StringBuilder(first);
        String gap = "";
        for (String word : text.split(" ", -1)) {
            if (line.length() + gap.length() + word.length() > COLUMNS && !gap.isEmpty()) {
                out.print(line + "\n");
                line = new StringBuilder(next);
                gap = "";
            }
            line.append(gap).append(word);
            gap = " ";
        }
        out.print(line + "\n");
    }

    private String bold(String text) {
        return ansi.enabled() ? Ansi.Style.bold.on() + text + Ansi.Style.reset.on() : text;
    }
}
