package dev.verbena.interop.suite;

/// What became of a test.
///
/// @param suite the class that was asked for
/// @param subject the class or interface that has the test's method
/// @param name the method, and of several invocations the one
/// @param outcome `green`, `skipped` or `red`
/// @param reason why it is not green
record TestLine(String suite, String subject, String name, String outcome, String reason, long ms) {
    static final String GREEN = "green";
    static final String SKIPPED = "skipped";
    static final String RED = "red";
}
