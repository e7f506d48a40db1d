package dev.verbena.transport.control;

import java.util.Map;

/// Makes controllers of one kind. Found by `ServiceLoader`: a module says `provides
/// dev.verbena.transport.control.ControlProvider with …`, a class path has the name in
/// `META-INF/services`.
public interface ControlProvider {
    /// What users call it: lower-case letters, digits and dashes.
    String name();

    /// All parameters with their defaults; users may change them by name.
    Map<String, Double> parameters();

    /// A controller for a new connection.
    ///
    /// @param parameters all of [#parameters], some with other values
    /// @throws IllegalArgumentException when a value is out of range
    CongestionControl make(ControlFacts facts, Map<String, Double> parameters);

    /// Whether it works only where receivers see the marks of switches.
    default boolean needsMarks() {
        return true;
    }

    /// Whether receivers send CNPs when marked packets arrive, and how long after one they send no
    /// other to the same queue pair; 0 when they send none. Marks are always echoed in
    /// acknowledgements.
    default long noticeEveryNs() {
        return 0;
    }
}
