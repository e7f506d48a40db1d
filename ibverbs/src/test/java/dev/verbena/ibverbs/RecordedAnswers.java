package dev.verbena.ibverbs;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/// The answers of `native-answers.txt`: `CALL: ANSWER`, and where the driver in this process
/// answers otherwise `CALL: ANSWER, here ANSWER: REASON`.
///
/// @param ofTheKernel by the name of the call
/// @param ofTheDriver the same
record RecordedAnswers(Map<String, Integer> ofTheKernel, Map<String, Integer> ofTheDriver) {
    private static final String LIST = "native-answers.txt";
    private static final String HERE = ", here ";

    static RecordedAnswers read() throws IOException {
        RecordedAnswers read = new RecordedAnswers(new TreeMap<>(), new TreeMap<>());
        try (InputStream in = RecordedAnswers.class.getResourceAsStream(LIST)) {
            if (in == null) {
                throw new IOException(LIST + " is missing");
            }
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            text.lines().filter(line -> !line.startsWith("#")).forEach(read::add);
        }
        return read;
    }

    private void add(String line) {
        String name = line.substring(0, line.indexOf(": "));
        String answer = line.substring(name.length() + 2);
        int other = answer.indexOf(HERE);
        String kernel = other < 0 ? answer : answer.substring(0, other);
        ofTheKernel.put(name, Integer.valueOf(kernel));
        if (other >= 0) {
            String here = answer.substring(other + HERE.length());
            ofTheDriver.put(name, Integer.valueOf(here.substring(0, here.indexOf(": "))));
        } else {
            ofTheDriver.put(name, Integer.valueOf(kernel));
        }
    }
}
