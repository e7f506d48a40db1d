package dev.verbena.scenario.report;

/// Where a result comes from, so that it can be had again.
///
/// @param file the scenario, as it was named
/// @param source its text
/// @param version of the command
/// @param commit of the source, or empty where it is not known
public record Provenance(String file, String source, String version, String commit) {
    /// The command that gives the same result.
    public String command() {
        return "verbena run " + quoted(file);
    }

    /// A name as a shell takes it for one word.
    public static String quoted(String file) {
        boolean isPlain = file.matches("[\\w./@%+=:,-]+");
        return isPlain ? file : "'" + file.replace("'", "'\\''") + "'";
    }
}
