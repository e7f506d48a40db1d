package dev.verbena.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Assumptions;

/// An installed header of C, as its compiler reads it.
///
/// @param names what C calls each field of ours; one that begins with `=` is an expression
record CHeader(String header, String source, Map<String, String> names) {
    /// Holds every constant of a class' inner classes against it; skips the test where it is not.
    void agrees(Class<?> offsets, Path folder) throws Exception {
        Assumptions.assumeTrue(Files.exists(Path.of("/usr/include", header)), "no " + source);
        Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/bin/gcc")), "no gcc");
        Map<String, Integer> ours = ours(offsets);
        assertThat(names.keySet()).as("fields with a name in C").isEqualTo(ours.keySet());

        assertThat(theirs(folder)).containsExactlyEntriesOf(ours);
    }

    private static Map<String, Integer> ours(Class<?> offsets) throws IllegalAccessException {
        Map<String, Integer> values = new TreeMap<>();
        for (Class<?> type : offsets.getDeclaredClasses()) {
            for (Field field : type.getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers()) && !field.isSynthetic()) {
                    values.put(type.getSimpleName() + "." + field.getName(), field.getInt(null));
                }
            }
        }
        return values;
    }

    private Map<String, Integer> theirs(Path folder) throws IOException, InterruptedException {
        List<String> program = new ArrayList<>();
        program.add("#include <" + header + ">");
        program.add("#include <stddef.h>");
        program.add("#include <stdio.h>");
        program.add("int main(void) {");
        names.forEach(
                (field, name) ->
                        program.add(
                                "printf(\"%s %%d\\n\", (int) (%s));"
                                        .formatted(field, expression(name))));
        program.add("}");
        Path source = folder.resolve("offsets.c");
        Path binary = folder.resolve("offsets");
        Files.write(source, program);
        run("/usr/bin/gcc", "-o", binary.toString(), source.toString());
        Map<String, Integer> values = new TreeMap<>();
        for (String line : run(binary.toString())) {
            String[] words = line.split(" ", -1);
            values.put(words[0], Integer.parseInt(words[1]));
        }
        return values;
    }

    private static String expression(String name) {
        if (name.startsWith("=")) {
            return name.substring(1);
        }
        String[] parts = name.split(" ", -1);
        return parts.length == 1
                ? "sizeof(struct " + name + ")"
                : "offsetof(struct " + parts[0] + ", " + parts[1] + ")";
    }

    private static List<String> run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        List<String> lines = process.inputReader().lines().toList();
        assertThat(process.waitFor()).as("%s", lines).isZero();
        return lines;
    }

    /// Pairs of our name and C's, or a name alone for the size of the whole.
    static void fields(Map<String, String> names, String ours, String struct, String pairs) {
        for (String pair : pairs.split(", ", -1)) {
            String[] words = pair.split(" ", -1);
            names.put(ours + "." + words[0], words.length == 1 ? struct : struct + " " + words[1]);
        }
    }
}
