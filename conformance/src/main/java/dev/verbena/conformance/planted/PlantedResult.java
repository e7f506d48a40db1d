package dev.verbena.conformance.planted;

/// What became of one bug.
///
/// `by` names the test that failed first, `the time limit`, or how the JVM ended; it is empty for a
/// survivor.
public record PlantedResult(PlantedBug bug, boolean caught, String by, long tookMs) {

    static final String TIME_LIMIT = "the time limit";

    /// `caught by BthTest.readsThePsn`, or `SURVIVED`.
    public String fate() {
        return caught ? "caught by " + by : "SURVIVED";
    }
}
