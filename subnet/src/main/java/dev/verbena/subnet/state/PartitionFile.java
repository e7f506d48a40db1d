package dev.verbena.subnet.state;

import dev.verbena.subnet.state.Partition.Level;
import dev.verbena.subnet.state.Partition.Member;
import dev.verbena.subnet.state.Partition.Who;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Reads a file of partitions. A statement ends with `;` and may have several lines:
///
/// ```text
///   NAME=KEY, ipoib, mtu=4, rate=3, sl=0, scope=2, defmember=full : MEMBER, MEMBER=full ;
/// ```
final class PartitionFile {
    static final int TEXT_MAX = 1 << 20;
    static final int PARTITIONS_MAX = 1024;
    static final int MEMBERS_MAX = 1 << 16;

    private static final int MTU_DEFAULT = 4;
    private static final int RATE_DEFAULT = 3;
    private static final int LIFE_TIME = 18;
    private static final int LINK_LOCAL = 2;
    private static final long QKEY_DEFAULT = 0x0B1B;
    private static final int FULL_BIT = 0x8000;
    private static final int RATE_MAX = 24;
    private static final int SCOPE_MAX = 14;
    private static final int KEY_MAX = 0xFFFF;

    private final String text;
    private final Map<Integer, Partition> partitions = new LinkedHashMap<>();
    private int line = 1;
    private int members;

    PartitionFile(String text) {
        this.text = text;
    }

    List<Partition> read() {
        if (text.length() > TEXT_MAX) {
            throw wrong(
                    "the file has %d characters: use %d at most"
                            .formatted(text.length(), TEXT_MAX));
        }
        StringBuilder statement = new StringBuilder();
        int next = 1;
        boolean isComment = false;
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            isComment = character != '\n' && (isComment || character == '#');
            next += character == '\n' ? 1 : 0;
            if (statement.isEmpty()) {
                line = next;
            }
            if (isComment || (statement.isEmpty() && Character.isWhitespace(character))) {
                continue;
            }
            if (character == ';') {
                statement(statement.toString());
                statement.setLength(0);
            } else {
                statement.append(character);
            }
        }
        if (!statement.isEmpty()) {
            throw wrong("the statement has no end: write ; behind it");
        }
        if (partitions.isEmpty()) {
            throw wrong("no partition: write a statement such as Default=0x7fff : ALL=full;");
        }
        if (!partitions.containsKey(Partitions.DEFAULT_KEY)) {
            List<Member> management =
                    List.of(
                            new Member(Who.ALL, 0, Level.LIMITED),
                            new Member(Who.SELF, 0, Level.FULL));
            partitions.put(
                    Partitions.DEFAULT_KEY,
                    new Partition("Default", Partitions.DEFAULT_KEY, Optional.empty(), management));
        }
        return List.copyOf(partitions.values());
    }

    private void statement(String statement) {
        int colon = statement.indexOf(':');
        if (colon < 0) {
            throw wrong("no : between partition and members: write NAME=KEY : MEMBERS;");
        }
        String[] properties = statement.substring(0, colon).split(",", -1);
        String[] named = properties[0].split("=", 2);
        String name = named[0].strip();
        boolean isDefault = named.length == 1 && name.equalsIgnoreCase("default");
        if (named.length == 1 && !isDefault) {
            throw wrong(
                    "partition \"%s\" has no key: write %s=0x1 or another key"
                            .formatted(name, name));
        }
        long raw = isDefault ? Partitions.DEFAULT_KEY : number("key", named[1], 1, KEY_MAX);
        int key = (int) raw & ~FULL_BIT;
        if (key == 0) {
            throw wrong(
                    "key %s names no partition: use 0x0001 to 0x7fff".formatted(named[1].strip()));
        }
        Traits traits = new Traits(key | FULL_BIT);
        for (int i = 1; i < properties.length; i++) {
            property(properties[i].strip(), traits);
        }
        List<Member> found = members(statement.substring(colon + 1), traits.level);
        Partition same = partitions.get(key);
        List<Member> all = new ArrayList<>(same == null ? List.of() : same.members());
        all.addAll(found);
        Optional<GroupTraits> broadcast = traits.broadcast();
        if (same != null && broadcast.isEmpty()) {
            broadcast = same.broadcast();
        }
        partitions.put(key, new Partition(name, key, broadcast, List.copyOf(all)));
        if (partitions.size() > PARTITIONS_MAX) {
            throw wrong("more than %d partitions: use fewer".formatted(PARTITIONS_MAX));
        }
    }

    /// Properties of a statement as they are read.
    private static final class Traits {
        private final int pkey;
        private boolean isIpoib;
        private int mtu = MTU_DEFAULT;
        private int rate = RATE_DEFAULT;
        private int serviceLevel;
        private int scope = LINK_LOCAL;
        private int trafficClass;
        private int flowLabel;
        private long qkey = QKEY_DEFAULT;
        private Level level = Level.LIMITED;

        Traits(int pkey) {
            this.pkey = pkey;
        }

        Optional<GroupTraits> broadcast() {
            return isIpoib
                    ? Optional.of(
                            new GroupTraits(
                                    (int) qkey,
                                    mtu,
                                    trafficClass,
                                    pkey,
                                    rate,
                                    LIFE_TIME,
                                    serviceLevel,
                                    flowLabel,
                                    0,
                                    scope))
                    : Optional.empty();
        }
    }

    private void property(String property, Traits traits) {
        String[] parts = property.split("=", 2);
        String name = parts[0].strip().toLowerCase(Locale.ROOT);
        String value = parts.length == 2 ? parts[1].strip() : "";
        switch (name) {
            case "ipoib" -> traits.isIpoib = true;
            // Tables keep their order, and the first partition of the file comes first.
            case "indx0" -> {}
            case "mtu" -> traits.mtu = (int) number("mtu", value, 1, 5);
            case "rate" -> traits.rate = (int) number("rate", value, 2, RATE_MAX);
            case "sl" -> traits.serviceLevel = (int) number("sl", value, 0, 15);
            case "scope" -> traits.scope = (int) number("scope", value, 1, SCOPE_MAX);
            case "q_key" -> traits.qkey = number("Q_Key", value, 0, 0xFFFF_FFFFL);
            case "tclass" -> traits.trafficClass = (int) number("TClass", value, 0, 0xFF);
            case "flowlabel" -> traits.flowLabel = (int) number("FlowLabel", value, 0, 0xF_FFFF);
            case "defmember" -> traits.level = level(value);
            default ->
                    throw wrong(
                            ("property \"%s\": use ipoib, mtu, rate, sl, scope, Q_Key, TClass,"
                                            + " FlowLabel, indx0 or defmember")
                                    .formatted(property));
        }
    }

    private List<Member> members(String list, Level usual) {
        List<Member> found = new ArrayList<>();
        for (String item : list.split(",", -1)) {
            String[] parts = item.split("=", 2);
            String name = parts[0].strip();
            Level level = parts.length == 2 ? level(parts[1].strip()) : usual;
            if (name.isEmpty()) {
                throw wrong("a member without a name: use a port GUID, ALL or SELF between commas");
            }
            found.add(member(name, level));
            if (++members > MEMBERS_MAX) {
                throw wrong("more than %d members: use ALL or fewer GUIDs".formatted(MEMBERS_MAX));
            }
        }
        return found;
    }

    private Member member(String name, Level level) {
        for (Who who : Who.values()) {
            if (who != Who.GUID && who.name().equalsIgnoreCase(name)) {
                return new Member(who, 0, level);
            }
        }
        if (!name.toLowerCase(Locale.ROOT).startsWith("0x")) {
            throw wrong(
                    ("member \"%s\": use a port GUID such as 0x0002c90300000001, ALL, ALL_CAS,"
                                    + " ALL_SWITCHES, ALL_ROUTERS or SELF")
                            .formatted(name));
        }
        try {
            return new Member(Who.GUID, Long.parseUnsignedLong(name.substring(2), 16), level);
        } catch (NumberFormatException none) {
            throw wrong("port GUID %s: use 0x and up to 16 hexadecimal digits".formatted(name));
        }
    }

    private Level level(String name) {
        for (Level level : Level.values()) {
            if (level.name().equalsIgnoreCase(name)) {
                return level;
            }
        }
        throw wrong("membership \"%s\": use full, limited or both".formatted(name));
    }

    private long number(String what, String value, long least, long most) {
        String digits = value.strip();
        try {
            long number = Long.decode(digits);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException none) {
            // Said below.
        }
        throw wrong("%s \"%s\": use %d to %d".formatted(what, digits, least, most));
    }

    private IllegalArgumentException wrong(String what) {
        return new IllegalArgumentException("line %d: %s".formatted(line, what));
    }
}
