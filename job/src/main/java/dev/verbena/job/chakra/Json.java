package dev.verbena.job.chakra;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Reads the small JSON texts that name groups of ranks: objects, lists, texts, whole numbers, and
/// `true`, `false` and `null`, which are kept as texts.
final class Json {
    private static final int DEPTH_MAX = 16;

    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /// A map, list, text or `Long`.
    ///
    /// @throws IllegalArgumentException with the character at which it is malformed
    static Object read(String text) {
        Json json = new Json(text);
        Object value = json.value(0);
        json.space();
        if (json.at < text.length()) {
            throw json.wrong("text after its end");
        }
        return value;
    }

    private IllegalArgumentException wrong(String problem) {
        return new IllegalArgumentException("character %d: %s".formatted(at, problem));
    }

    private void space() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private char peek() {
        space();
        if (at == text.length()) {
            throw wrong("it ends early");
        }
        return text.charAt(at);
    }

    private void expect(char mark) {
        if (peek() != mark) {
            throw wrong("'%s' where '%s' belongs".formatted(peek(), mark));
        }
        at++;
    }

    private boolean isNext(char mark) {
        if (peek() != mark) {
            return false;
        }
        at++;
        return true;
    }

    private Object value(int depth) {
        if (depth > DEPTH_MAX) {
            throw wrong("more than %d levels".formatted(DEPTH_MAX));
        }
        return switch (peek()) {
            case '{' -> map(depth);
            case '[' -> list(depth);
            case '"' -> string();
            default -> word();
        };
    }

    private Map<String, Object> map(int depth) {
        Map<String, Object> values = new LinkedHashMap<>();
        expect('{');
        if (isNext('}')) {
            return values;
        }
        do {
            peek();
            String name = string();
            expect(':');
            if (values.putIfAbsent(name, value(depth + 1)) != null) {
                throw wrong("'%s' is there twice".formatted(name));
            }
        } while (isNext(','));
        expect('}');
        return values;
    }

    private List<Object> list(int depth) {
        List<Object> values = new ArrayList<>();
        expect('[');
        if (isNext(']')) {
            return values;
        }
        do {
            values.add(value(depth + 1));
        } while (isNext(','));
        expect(']');
        return values;
    }

    private String string() {
        expect('"');
        StringBuilder out = new StringBuilder();
        while (at < text.length() && text.charAt(at) != '"') {
            char next = text.charAt(at++);
            if (next == '\\') {
                if (at == text.length()) {
                    break;
                }
                // Names of groups need no escapes but quotes: the others stay as they are.
                next = text.charAt(at++);
            }
            out.append(next);
        }
        if (at >= text.length()) {
            throw wrong("a text without its end");
        }
        at++;
        return out.toString();
    }

    private Object word() {
        int from = at;
        while (at < text.length() && ",]} \t\r\n:".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        String word = text.substring(from, at);
        if (word.equals("true") || word.equals("false") || word.equals("null")) {
            return word;
        }
        try {
            return Long.parseLong(word);
        } catch (NumberFormatException malformed) {
            at = from;
            throw new IllegalArgumentException(
                    "character %d: '%s' is no whole number".formatted(from, word), malformed);
        }
    }
}
