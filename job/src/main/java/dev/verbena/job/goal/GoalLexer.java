package dev.verbena.job.goal;

import dev.verbena.job.replay.TraceException;
import java.io.IOException;
import java.io.Reader;

/// Splits the text form into words, marks and ends of lines, and leaves comments out.
final class GoalLexer {
    /// What [#next] found.
    enum Token {
        WORD,
        MARK,
        LINE,
        END
    }

    /// The longest word: a label has room, and a file without spaces takes no memory.
    private static final int WORD_MAX = 1024;

    private static final int END = -1;

    private final String file;
    private final Reader in;
    private final char[] buffer = new char[1 << 14];
    private final StringBuilder word = new StringBuilder();
    private int at;
    private int filled;
    private int line = 1;
    private int lineOfToken = 1;
    private char mark;

    GoalLexer(String file, Reader in) {
        this.file = file;
        this.in = in;
    }

    /// The line of the last token, from 1.
    int line() {
        return lineOfToken;
    }

    String word() {
        return word.toString();
    }

    char mark() {
        return mark;
    }

    TraceException wrong(String problem) {
        return new TraceException("%s, line %d: %s".formatted(file, lineOfToken, problem));
    }

    private int peek() throws IOException {
        while (at == filled) {
            at = 0;
            filled = in.read(buffer, 0, buffer.length);
            if (filled < 0) {
                filled = 0;
                return END;
            }
        }
        return buffer[at];
    }

    private int take() throws IOException {
        int next = peek();
        if (next != END) {
            at++;
        }
        return next;
    }

    Token next() throws IOException {
        while (true) {
            int next = peek();
            lineOfToken = line;
            if (next == END) {
                return Token.END;
            } else if (next == '\n') {
                take();
                line++;
                return Token.LINE;
            } else if (next == ' ' || next == '\t' || next == '\r') {
                take();
            } else if (next == '/') {
                comment();
            } else if (isWord(next)) {
                return words();
            } else if (next == ':' || next == '{' || next == '}' || next == '-') {
                mark = (char) take();
                return Token.MARK;
            } else {
                throw wrong("an unexpected character, U+%04X".formatted(next));
            }
        }
    }

    private void comment() throws IOException {
        take();
        int kind = take();
        if (kind == '/') {
            for (int next = peek(); next != END && next != '\n'; next = peek()) {
                take();
            }
            return;
        }
        if (kind != '*') {
            throw wrong("a '/' that begins no comment");
        }
        int before = 0;
        for (int next = take(); !(before == '*' && next == '/'); next = take()) {
            if (next == END) {
                throw wrong("a comment without an end");
            }
            if (next == '\n') {
                line++;
            }
            before = next;
        }
    }

    private static boolean isWord(int next) {
        return (next >= 'a' && next <= 'z')
                || (next >= 'A' && next <= 'Z')
                || (next >= '0' && next <= '9')
                || next == '_';
    }

    private Token words() throws IOException {
        word.setLength(0);
        for (int next = peek(); next != END && isWord(next); next = peek()) {
            if (word.length() == WORD_MAX) {
                throw wrong("a word of more than %,d characters".formatted(WORD_MAX));
            }
            word.append((char) take());
        }
        return Token.WORD;
    }
}
