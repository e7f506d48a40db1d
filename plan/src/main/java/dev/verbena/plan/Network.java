package dev.verbena.plan;

import java.util.Locale;

/// The kinds of network that a plan compares.
public enum Network {
    IB("InfiniBand"),
    ROCE("RoCE");

    private final String title;

    Network(String title) {
        this.title = title;
    }

    public String title() {
        return title;
    }

    /// As it is written in flags and files.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
