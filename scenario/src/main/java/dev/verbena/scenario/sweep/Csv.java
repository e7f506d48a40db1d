package dev.verbena.scenario.sweep;

/// A table of comma-separated values, RFC 4180.
final class Csv {
    private final StringBuilder text = new StringBuilder();
    private boolean isFirst = true;

    void cell(String value) {
        text.append(isFirst ? "" : ",");
        isFirst = false;
        boolean isPlain = value.chars().noneMatch(it -> it == ',' || it == '"' || it < ' ');
        text.append(isPlain ? value : "\"" + value.replace("\"", "\"\"") + "\"");
    }

    void end() {
        text.append('\n');
        isFirst = true;
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
