package dev.verbena.lint;

/// Text of a file as a message may show it: one line, without control characters, not long.
final class Shown {
    private static final int WORD_CHARS = 60;
    private static final int LINE_CHARS = 400;

    private Shown() {}

    /// A name or a value.
    static String word(String text) {
        return cut(text, WORD_CHARS);
    }

    static String line(String text) {
        return cut(text, LINE_CHARS);
    }

    private static String cut(String text, int chars) {
        String shorter = text.length() <= chars ? text : text.substring(0, chars - 1) + "…";
        StringBuilder shown = new StringBuilder(shorter.length());
        shorter.codePoints().forEach(it -> shown.appendCodePoint(isPlain(it) ? it : '?'));
        return shown.toString();
    }

    private static boolean isPlain(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR ->
                    false;
            default -> true;
        };
    }
}
