package dev.verbena.scenario.read;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.TokenStreamLocation;

/// Where the keys and values of a file are, by JSON pointer.
final class Places {
    /// A line and a column, from 1.
    record Place(int line, int column) {
        static Place of(TokenStreamLocation at) {
            return new Place(Math.max(1, at.getLineNr()), Math.max(1, at.getColumnNr()));
        }
    }

    private static final Place START = new Place(1, 1);

    private final String file;
    private final Map<String, Place> keys = new HashMap<>();
    private final Map<String, Place> values = new HashMap<>();

    Places(String file) {
        this.file = file;
    }

    String file() {
        return file;
    }

    void key(String pointer, Place at) {
        keys.put(pointer, at);
    }

    void value(String pointer, Place at) {
        values.put(pointer, at);
    }

    /// Of a key, or of the value where it has none, or of the nearest value around it.
    Place key(String pointer) {
        Place known = keys.get(pointer);
        return known != null ? known : value(pointer);
    }

    Place value(String pointer) {
        Place known = near(pointer);
        int end = pointer.length();
        while (known == null && end > 0) {
            end = pointer.lastIndexOf('/', end - 1);
            known = near(pointer.substring(0, Math.max(0, end)));
        }
        return known == null ? START : known;
    }

    private @Nullable Place near(String pointer) {
        Place known = values.get(pointer);
        return known != null ? known : keys.get(pointer);
    }
}
