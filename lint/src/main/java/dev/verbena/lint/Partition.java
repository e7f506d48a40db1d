package dev.verbena.lint;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/// A rule of `partitions.conf`.
///
/// @param key its P_Key without the bit of membership; empty when OpenSM chooses it
/// @param serviceLevel of its multicast group and of paths in it
record Partition(
        Place place,
        String name,
        OptionalInt key,
        Optional<Figure> mtu,
        Optional<Figure> rate,
        Optional<Figure> serviceLevel,
        List<Member> members) {
    static final int DEFAULT_KEY = 0x7FFF;

    /// @param text a GUID, or a word such as `ALL`
    /// @param isFull whether it may talk to all members; limited ones may not to each other
    record Member(String text, boolean isFull) {}

    boolean isDefault() {
        return key.isPresent() && key.getAsInt() == DEFAULT_KEY;
    }

    String title() {
        String number = key.isPresent() ? "0x%04x".formatted(key.getAsInt()) : "without a P_Key";
        return name.isEmpty() ? number : Shown.word(name) + " (" + number + ")";
    }
}
