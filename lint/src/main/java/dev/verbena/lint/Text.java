package dev.verbena.lint;

import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// The text of a file, within limits.
///
/// @param file its name
/// @param content without a byte order mark
record Text(String file, String content) {
    private static final int LINES_MAX = 200_000;
    private static final int LINE_CHARS_MAX = 65_536;
    private static final char BYTE_ORDER_MARK = '\uFEFF';

    static Text of(InputFile file) {
        if (file.length() > InputFile.BYTES_MAX) {
            throw new LintException(
                    "%s has %,d bytes: the limit is %,d"
                            .formatted(file.name(), file.length(), InputFile.BYTES_MAX));
        }
        String content;
        try {
            content = StandardCharsets.UTF_8.newDecoder().decode(file.content()).toString();
        } catch (CharacterCodingException malformed) {
            throw new LintException(file.name() + " is not text in UTF-8", malformed);
        }
        if (content.indexOf('\0') >= 0) {
            throw new LintException(file.name() + " is not text: it has bytes of value 0");
        }
        boolean marked = !content.isEmpty() && content.charAt(0) == BYTE_ORDER_MARK;
        return new Text(file.name(), marked ? content.substring(1) : content);
    }

    /// Its lines, without their ends.
    List<String> lines() {
        List<String> lines = content.lines().limit(LINES_MAX + 1L).toList();
        if (lines.size() > LINES_MAX) {
            throw new LintException("%s has more than %,d lines".formatted(file, LINES_MAX));
        }
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).length() > LINE_CHARS_MAX) {
                throw new LintException(
                        "%s:%d: a line of %,d characters: the limit is %,d"
                                .formatted(file, i + 1, lines.get(i).length(), LINE_CHARS_MAX));
            }
        }
        return lines;
    }

    Place line(int index) {
        return new Place(file, index + 1, 1);
    }
}
