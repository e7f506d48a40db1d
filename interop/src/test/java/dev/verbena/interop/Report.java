package dev.verbena.interop;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// The result of comparing one capture with the output of tshark.
///
/// @param malformed frames that a dissector gave up on, known faults or not
/// @param compared fields that tshark had to print, known faults among them
/// @param differences one line for each field or frame that no known fault explains
/// @param faults how many fields or frames each known fault explains
record Report(
        String tshark,
        String capture,
        int packets,
        int malformed,
        int compared,
        List<String> differences,
        Map<KnownFault, Integer> faults) {

    String line() {
        return "tshark %s: %s: %,d packets, ".formatted(tshark, capture, packets)
                + "%,d malformed, %,d fields compared, ".formatted(malformed, compared)
                + "%,d differ, %,d known faults".formatted(differences.size(), faultCount());
    }

    private int faultCount() {
        return faults.values().stream().mapToInt(Integer::intValue).sum();
    }

    /// One JSON object on one line; no name or title has a character to escape.
    String json() {
        String counts =
                faults.entrySet().stream()
                        .map(fault -> "\"%s\":%d".formatted(fault.getKey(), fault.getValue()))
                        .collect(Collectors.joining(","));
        return "{\"tshark\":\"%s\",\"capture\":\"%s\",".formatted(tshark, capture)
                + "\"packets\":%d,\"malformed\":%d,".formatted(packets, malformed)
                + "\"compared\":%d,\"differ\":%d,".formatted(compared, differences.size())
                + "\"faults\":{%s}}".formatted(counts);
    }
}
