package dev.verbena.lint;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A table of `config_db.json`: rows by key, fields by name. Whatever is no text where a text
/// belongs is a finding, and left out.
///
/// @param name of the table
/// @param rows in the order of the file
record ConfigTable(String name, List<Row> rows) {

    /// @param key as it stands in the file, such as `Ethernet0|3-4`
    record Row(String table, String key, Place place, Map<String, Setting> fields) {

        Optional<Setting> field(String name) {
            return Optional.ofNullable(fields.get(name));
        }

        /// A number of this row, or nothing; nothing and a finding when it is none.
        Optional<Figure> figure(String name, long least, long most, Findings findings) {
            return field(name).flatMap(it -> findings.figure(it, this + " " + name, least, most));
        }

        /// The name of an entry of another table, which older files write `[TABLE|NAME]`.
        Optional<Setting> reference(String name) {
            return field(name)
                    .map(
                            it -> {
                                String text = it.text().replaceAll("[\\[\\]]", "");
                                return new Setting(
                                        text.substring(text.lastIndexOf('|') + 1), it.place());
                            });
        }

        /// The names of ports before the last `|`, and what comes after it.
        List<String> ports() {
            int bar = key.lastIndexOf('|');
            String before = bar < 0 ? key : key.substring(0, bar);
            return List.of(before.substring(before.lastIndexOf('|') + 1).split(",", -1));
        }

        String last() {
            return key.substring(key.lastIndexOf('|') + 1);
        }

        @Override
        public String toString() {
            return table + " " + Shown.word(key);
        }
    }

    /// The table of this name in a document; without rows when it is not there.
    static ConfigTable of(Json document, String name, Findings findings) {
        Json table = document.members().get(name);
        List<Row> rows = new ArrayList<>();
        if (table != null && !table.isObject()) {
            findings.unreadable(table.place(), name, table.text(), "a table: {\"key\": {…}}");
        } else if (table != null) {
            table.members().forEach((key, row) -> rows.add(row(name, key, row, findings)));
        }
        return new ConfigTable(name, List.copyOf(rows));
    }

    private static Row row(String table, String key, Json row, Findings findings) {
        Map<String, Setting> fields = new LinkedHashMap<>();
        if (!row.isObject()) {
            findings.unreadable(
                    row.place(), table + " " + key, row.text(), "an object with fields");
        }
        row.members()
                .forEach(
                        (name, value) -> {
                            switch (value.shape()) {
                                case TEXT ->
                                        fields.put(name, new Setting(value.text(), value.place()));
                                case ARRAY -> {
                                    // A list of texts is no field that a rule reads.
                                }
                                case OBJECT, NULL ->
                                        findings.unreadable(
                                                value.place(),
                                                "%s %s %s".formatted(table, key, name),
                                                value.isObject() ? "{…}" : "null",
                                                "a text");
                            }
                        });
        return new Row(table, key, row.place(), fields);
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }
}
