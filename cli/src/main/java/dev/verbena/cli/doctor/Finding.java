package dev.verbena.cli.doctor;

import dev.verbena.lint.Severity;
import java.util.List;

/// Something that is not as it should be, or good to know.
///
/// @param problem what it is, here: with the names of device, port, interface
/// @param evidence lines `file: value`, so that a reader can look for himself
/// @param remedy what to do, in a sentence; empty when there is nothing to do
/// @param command what to type for that; empty when it is not a matter of typing
record Finding(Code code, String problem, List<String> evidence, String remedy, String command) {
    Finding {
        evidence = List.copyOf(evidence);
    }

    Severity severity() {
        return code.severity();
    }
}
