package dev.verbena.benchmarks.soak;

import java.util.List;

/// One line of an endurance run's record: everything from its beginning to a time.
///
/// @param gaps how often the peer, or an answer, told that packets are missing
/// @param waited how often an acknowledgement did not come in time
record Sample(
        double seconds,
        long bytes,
        long messages,
        long connections,
        long gaps,
        long waited,
        ProcessMemory memory) {
    static final String HEAD =
            "seconds\tbytes\tmessages\tconnections\tlost\twaited\theap\tresident\tdescriptors"
                    + "\tthreads";

    String toLine() {
        return "%.1f\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d"
                .formatted(
                        seconds,
                        bytes,
                        messages,
                        connections,
                        gaps,
                        waited,
                        memory.heapBytes(),
                        memory.residentBytes(),
                        memory.descriptors(),
                        memory.threads());
    }

    static List<Sample> parse(List<String> lines) {
        return lines.stream().skip(1).map(Sample::parse).toList();
    }

    private static Sample parse(String line) {
        String[] words = line.split("\t", -1);
        return new Sample(
                Double.parseDouble(words[0]),
                Long.parseLong(words[1]),
                Long.parseLong(words[2]),
                Long.parseLong(words[3]),
                Long.parseLong(words[4]),
                Long.parseLong(words[5]),
                new ProcessMemory(
                        Long.parseLong(words[6]),
                        Long.parseLong(words[7]),
                        Integer.parseInt(words[8]),
                        Integer.parseInt(words[9])));
    }
}
