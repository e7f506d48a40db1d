package dev.verbena.lint;

/// The subject of a finding; the first digit of its code.
public enum Area {
    FILES("files"),
    CLASSES("lossless classes"),
    HEADROOM("headroom and buffers"),
    MARKING("congestion marking (ECN)"),
    WATCHDOG("PFC watchdog"),
    LINKS("ends of a link"),
    HOSTS("hosts"),
    SUBNET_MANAGER("subnet manager"),
    PARTITIONS("partitions");

    private final String title;

    Area(String title) {
        this.title = title;
    }

    public String title() {
        return title;
    }

    /// The area of a code such as `VL301`.
    static Area of(String code) {
        return values()[code.charAt(2) - '1'];
    }
}
