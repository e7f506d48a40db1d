package dev.verbena.interop;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Runs tshark on captures and gathers what came out, for the page at the end.
final class Reports {
    private static final List<Report> REPORTS = new ArrayList<>();

    private Reports() {}

    /// Starts tshark on first use, so that its absence fails a test and not the loading of classes.
    private static final class Installed {
        static final Tshark TSHARK = Tshark.installed();
    }

    /// Compares a capture, keeps the report for the page, and prints its line.
    static Report check(String title, Path file, List<Frame> frames) {
        Report report = compare(title, file, frames);
        REPORTS.add(report);
        System.out.println(report.line());
        report.differences().stream().limit(10).forEach(System.out::println);
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

    /// Writes the page anew with all that was gathered so far.
    static void write() throws IOException {
        Page.write(REPORTS);
    }
}
