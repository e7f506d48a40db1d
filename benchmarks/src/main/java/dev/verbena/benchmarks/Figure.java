package dev.verbena.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// One measured number: what it is, how much, of what.
record Figure(String name, double value, String unit) {
    /// Prints it as [#forked] reads it: name, value, unit, with tabs between.
    void print() {
        System.out.printf(Locale.ROOT, "%s\t%.6f\t%s%n", name, value, unit);
    }

    /// Runs a program that prints figures, each time in a JVM of its own, and takes the median of
    /// each figure: how code was compiled differs between them.
    static List<Figure> forked(Class<?> program, int runs, String... jvmArguments)
            throws IOException {
        Map<String, List<Figure>> byName = new LinkedHashMap<>();
        for (int run = 0; run < runs; run++) {
            for (Figure figure : once(program, jvmArguments)) {
                byName.computeIfAbsent(figure.name, name -> new ArrayList<>()).add(figure);
            }
        }
        List<Figure> medians = new ArrayList<>();
        for (List<Figure> figures : byName.values()) {
            figures.sort(Comparator.comparingDouble(Figure::value));
            medians.add(figures.get(figures.size() / 2));
        }
        return medians;
    }

    private static List<Figure> once(Class<?> program, String... jvmArguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(jvmArguments));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
        Process process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        List<Figure> figures = new ArrayList<>();
        try (BufferedReader output = process.inputReader()) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                List<String> parts = List.of(line.split("\t", -1));
                figures.add(
                        new Figure(parts.get(0), Double.parseDouble(parts.get(1)), parts.get(2)));
            }
        }
        if (figures.isEmpty()) {
            throw new IllegalStateException(program.getSimpleName() + " printed nothing");
        }
        return figures;
    }
}
