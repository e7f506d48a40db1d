package dev.verbena.plan;

import java.util.Locale;

/// How far a figure of the catalogue can be trusted.
public enum Mark {
    /// The maker or the operator of the thing said so.
    VENDOR("V"),
    /// Someone else said so: a reseller, a press article, a third-party catalogue.
    SECONDARY("2"),
    /// Derived, remembered, or without a named source.
    UNVERIFIED("?");

    private final String sign;

    Mark(String sign) {
        this.sign = sign;
    }

    /// What stands in brackets behind a figure.
    public String sign() {
        return sign;
    }

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
