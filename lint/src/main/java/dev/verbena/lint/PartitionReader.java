package dev.verbena.lint;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/// Reads `partitions.conf`: `NAME=P_KEY, FLAG=VALUE, … : MEMBER=full, … ;`
final class PartitionReader {
    private static final Set<String> GROUP_FLAGS =
            Set.of("mtu", "rate", "sl", "scope", "Q_Key", "TClass", "FlowLabel");
    private static final Set<String> FLAGS =
            Set.of(
                    "ipoib",
                    "defmember",
                    "indx0",
                    "mtu",
                    "rate",
                    "sl",
                    "scope",
                    "Q_Key",
                    "TClass",
                    "FlowLabel");
    private static final Set<String> MEMBER_WORDS =
            Set.of("ALL", "ALL_CAS", "ALL_SWITCHES", "ALL_ROUTERS", "SELF", "NONE");
    private static final int RULES_MAX = 100_000;
    private static final int SERVICE_LEVEL_MAX = 15;
    private static final int CODE_MAX = 1_000_000;

    private final Text text;
    private final Findings findings;
    private final List<Partition> rules = new ArrayList<>();
    private boolean isWhole = true;

    private PartitionReader(Text text, Findings findings) {
        this.text = text;
        this.findings = findings;
    }

    static Partitions read(Text text, Findings findings) {
        PartitionReader reader = new PartitionReader(text, findings);
        reader.statements();
        return new Partitions(Place.start(text.file()), List.copyOf(reader.rules), reader.isWhole);
    }

    /// Without comments, at each `;`.
    private void statements() {
        StringBuilder statement = new StringBuilder();
        List<String> lines = text.lines();
        int start = -1;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            int hash = line.indexOf('#');
            String[] parts = (hash < 0 ? line : line.substring(0, hash)).split(";", -1);
            for (int j = 0; j < parts.length; j++) {
                statement.append(parts[j]).append('\n');
                start = start < 0 && !parts[j].isBlank() ? i : start;
                if (j < parts.length - 1) {
                    statement(statement.toString(), text.line(Math.max(0, start)));
                    statement.setLength(0);
                    start = -1;
                }
            }
        }
        if (start >= 0) {
            malformed(text.line(start), "a rule without its ';'", statement.toString());
        }
    }

    private void statement(String statement, Place place) {
        if (rules.size() >= RULES_MAX) {
            throw new LintException("%s has more than %,d rules".formatted(text.file(), RULES_MAX));
        }
        int colon = statement.indexOf(':');
        if (colon < 0) {
            if (!statement.isBlank()) {
                malformed(place, "a rule without ':' after the partition", statement);
            }
            return;
        }
        new Rule(place).read(statement.substring(0, colon), statement.substring(colon + 1));
    }

    private void malformed(Place place, String what, String statement) {
        isWhole = false;
        findings.add(
                Code.VL905,
                place,
                what,
                List.of(place.says(Shown.word(statement.strip()))),
                "Write each rule as NAME=P_KEY, FLAGS : MEMBERS ; with colon and semicolon.");
    }

    /// One rule while it is read.
    private final class Rule {
        private final Place place;
        private Optional<Figure> mtu = Optional.empty();
        private Optional<Figure> rate = Optional.empty();
        private Optional<Figure> serviceLevel = Optional.empty();
        private boolean isFullUsually;

        Rule(Place place) {
            this.place = place;
        }

        void read(String definition, String rest) {
            String[] parts = definition.split(",", -1);
            String[] title = parts[0].split("=", 2);
            String name = title[0].strip();
            String key = title.length > 1 ? title[1].strip() : "";
            if (key.isEmpty() && !name.isEmpty() && Character.isDigit(name.charAt(0))) {
                key = name;
                name = "";
            }
            OptionalInt number = key.isEmpty() ? OptionalInt.empty() : key(key);
            for (int i = 1; i < parts.length; i++) {
                flag(parts[i]);
            }
            List<Partition.Member> members = members(rest);
            rules.add(new Partition(place, name, number, mtu, rate, serviceLevel, members));
        }

        private OptionalInt key(String key) {
            OptionalLong number = Numbers.parse(key);
            if (number.isEmpty() || number.getAsLong() < 0 || number.getAsLong() > 0xFFFF) {
                malformed(place, "'%s' is no P_Key".formatted(Shown.word(key)), key);
                return OptionalInt.empty();
            }
            return OptionalInt.of((int) number.getAsLong() & Partition.DEFAULT_KEY);
        }

        private void flag(String flag) {
            String[] pair = flag.strip().split("=", 2);
            String value = pair.length > 1 ? pair[1].strip() : "";
            switch (pair[0].strip()) {
                case "mtu" -> mtu = figure(value, "mtu", CODE_MAX);
                case "rate" -> rate = figure(value, "rate", CODE_MAX);
                case "sl" -> serviceLevel = figure(value, "sl", SERVICE_LEVEL_MAX);
                case "defmember" -> isFullUsually = isFull(value);
                default -> {
                    // ipoib, indx0, scope and others, of which no rule asks.
                }
            }
        }

        private Optional<Figure> figure(String value, String what, int most) {
            return findings.figure(new Setting(value, place), what + " of a partition", 0, most);
        }

        private List<Partition.Member> members(String rest) {
            List<Partition.Member> members = new ArrayList<>();
            boolean inGroup = false;
            for (String part : afterFlags(rest).split(",", -1)) {
                String[] pair = part.strip().split("=", 2);
                String word = pair[0].strip();
                inGroup |= word.equals("mgid");
                boolean isOfGroup = inGroup && (word.equals("mgid") || GROUP_FLAGS.contains(word));
                if (!isOfGroup && !word.isEmpty()) {
                    inGroup = false;
                    member(word, pair.length > 1 ? pair[1].strip() : "").ifPresent(members::add);
                }
            }
            return members;
        }

        /// Flags may also stand between two colons.
        private String afterFlags(String rest) {
            int colon = rest.indexOf(':');
            if (colon < 0 || rest.substring(0, colon).contains("mgid")) {
                return rest;
            }
            for (String flag : rest.substring(0, colon).split(",", -1)) {
                if (!FLAGS.contains(flag.strip().split("=", 2)[0].strip())) {
                    malformed(place, "a second ':' in a rule: is a ';' missing before it?", rest);
                    return "";
                }
                flag(flag);
            }
            return rest.substring(colon + 1);
        }

        private Optional<Partition.Member> member(String word, String membership) {
            OptionalLong guid = Numbers.parse(word);
            if (!MEMBER_WORDS.contains(word) && (guid.isEmpty() || guid.getAsLong() == 0)) {
                malformed(place, "'%s' is no GUID".formatted(Shown.word(word)), word);
                return Optional.empty();
            }
            boolean full = membership.isEmpty() ? isFullUsually : isFull(membership);
            return word.equals("NONE")
                    ? Optional.empty()
                    : Optional.of(new Partition.Member(word, full));
        }

        /// OpenSM takes the beginning of a word, and anything else as limited.
        private boolean isFull(String membership) {
            return !membership.isEmpty()
                    && ("full".startsWith(membership) || "both".startsWith(membership));
        }
    }
}
