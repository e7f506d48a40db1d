package dev.verbena.manager;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// A manager of a group, and where the others reach it.
record Member(String id, String host, int port) {
    /// More do not make a group safer, only slower.
    static final int COUNT_MAX = 7;

    private static final Pattern ID = Pattern.compile("[a-z0-9][a-z0-9-]{0,31}");
    private static final int PORT_MAX = 0xFFFF;

    /// Reads `ID=HOST:PORT,ID=HOST:PORT`.
    ///
    /// @throws IllegalArgumentException for a list that is wrong
    static List<Member> parse(String text) {
        List<Member> members = new ArrayList<>();
        Set<String> ids = new LinkedHashSet<>();
        Set<String> addresses = new LinkedHashSet<>();
        for (String part : text.split(",", -1)) {
            Member member = one(part.strip());
            if (!ids.add(member.id) || !addresses.add(member.address())) {
                throw new IllegalArgumentException(
                        "managers %s: %s is there twice".formatted(text, part.strip()));
            }
            members.add(member);
        }
        if (members.size() > COUNT_MAX) {
            throw new IllegalArgumentException(
                    "%d managers: use 1 to %d".formatted(members.size(), COUNT_MAX));
        }
        return List.copyOf(members);
    }

    private static Member one(String part) {
        int equals = part.indexOf('=');
        int colon = part.lastIndexOf(':');
        if (equals < 0 || colon < equals + 2) {
            throw new IllegalArgumentException("manager \"%s\": use ID=HOST:PORT".formatted(part));
        }
        String id = part.substring(0, equals);
        if (!ID.matcher(id).matches()) {
            throw new IllegalArgumentException(
                    "manager ID \"%s\": use up to 32 small letters, digits and hyphens"
                            .formatted(id));
        }
        int port;
        try {
            port = Integer.parseInt(part.substring(colon + 1));
        } catch (NumberFormatException none) {
            port = 0;
        }
        if (port < 1 || port > PORT_MAX) {
            throw new IllegalArgumentException(
                    "manager \"%s\": use a port from 1 to %d".formatted(part, PORT_MAX));
        }
        return new Member(id, part.substring(equals + 1, colon), port);
    }

    String address() {
        return host + ":" + port;
    }
}
