package dev.verbena.interop;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Runs tshark on captures and collects the results, for the page at the end.
final class Reports {
    private static final List<Report> REPORTS = new ArrayList<>();
    private static int printed;

    private Reports() {}

    /// Starts tshark on first use, so that its absence fails a test and not the loading of classes.
    private static final class Installed {
        static final Tshark TSHARK = Tshark.installed();
    }

    /// Compares a capture and keeps the report for the end.
    static Report check(String title, Path file, List<Frame> frames) {
        Report report = compare(title, file, frames);
        REPORTS.add(report);
        return report;
    }

    /// Compares a capture, and nothing more.
    static Report compare(String title, Path file, List<Frame> frames) {
        Tshark tshark = tshark();
        return Comparison.of(
                tshark.version(), title, frames, tshark.read(file, Comparison.fields(frames)));
    }

    static Tshark tshark() {
        return Installed.TSHARK;
    }

    /// Prints a line for each capture since the last time, and writes the page anew with all.
    static void write() throws IOException {
        REPORTS.subList(printed, REPORTS.size()).forEach(it -> System.out.println(it.line()));
        printed = REPORTS.size();
        Page.write(REPORTS);
    }
}
