package dev.verbena.cli.doctor;

/// What this process may do beyond what everybody may, and how much of what everybody may.
record Privileges(Host host) {
    static final int NET_ADMIN = 12;
    static final int IPC_LOCK = 14;

    private static final String STATUS = "/proc/self/status";
    private static final String LIMITS = "/proc/self/limits";
    private static final String USERS = "/proc/self/uid_map";
    private static final String ALL_USERS = "4294967295";

    /// Whether it has a capability that counts: those of a user namespace do not.
    boolean has(int capability) {
        boolean isInitial = host.text(USERS).map(map -> map.endsWith(ALL_USERS)).orElse(true);
        String mask = line(STATUS, "CapEff:").strip();
        return isInitial
                && mask.matches("[0-9a-f]{1,16}")
                && (Long.parseUnsignedLong(mask, 16) >>> capability & 1) != 0;
    }

    /// The soft limit of a line of `/proc/self/limits`; no limit is the largest number.
    long limit(String name) {
        String[] words = line(LIMITS, name).strip().split("\\s+", -1);
        return words[0].matches("[0-9]{1,18}") ? Long.parseLong(words[0]) : Long.MAX_VALUE;
    }

    String limitEvidence(String name) {
        String soft = line(LIMITS, name).strip().split("\\s+", -1)[0];
        return LIMITS + ": " + name + " " + soft;
    }

    String capabilityEvidence(String name) {
        return STATUS + ": CapEff " + line(STATUS, "CapEff:").strip() + ", without " + name;
    }

    private String line(String path, String start) {
        return host.text(path).stream()
                .flatMap(String::lines)
                .filter(line -> line.startsWith(start))
                .map(line -> line.substring(start.length()))
                .findFirst()
                .orElse("");
    }
}
