package dev.verbena.scenario.run;

import java.util.List;

/// What a run shows, in plain words.
///
/// @param headline one sentence
/// @param culprit the rank, cable or switch that is to blame; empty where none is
/// @param details figures behind it, a sentence each
/// @param remedy what to try; empty where nothing is wrong
public record Finding(String headline, String culprit, List<String> details, String remedy) {
    public Finding {
        details = List.copyOf(details);
    }
}
