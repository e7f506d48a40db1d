package dev.verbena.lint;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/// What a file holds.
public enum Kind {
    /// SONiC's configuration as JSON.
    CONFIG_DB(text -> text.stripLeading().startsWith("{")),
    /// Output of `mlnx_qos -i INTERFACE`.
    MLNX_QOS(text -> text.contains("PFC configuration:")),
    /// Output of `ethtool -a INTERFACE`.
    PAUSE(text -> text.contains("Pause parameters for ")),
    /// Output of `ethtool INTERFACE`.
    ETHTOOL(text -> text.contains("Settings for ")),
    /// Output of `ip link show INTERFACE`.
    IP_LINK(text -> Patterns.LINK.matcher(text).find()),
    /// Output of `cma_roce_tos -d DEVICE`: a number.
    CMA_ROCE_TOS(text -> Patterns.NUMBER.matcher(text.strip()).matches()),
    /// OpenSM's `partitions.conf`.
    PARTITIONS(text -> text.contains(";") && Patterns.PARTITION.matcher(text).find()),
    /// OpenSM's `opensm.conf`.
    OPENSM(OpenSmReader::hasOptions);

    private final Predicate<String> recognised;

    Kind(Predicate<String> recognised) {
        this.recognised = recognised;
    }

    /// The word for it on a command line.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// The kind of this word.
    public static Optional<Kind> of(String word) {
        return Arrays.stream(values()).filter(kind -> kind.word().equals(word)).findFirst();
    }

    static Kind recognise(Text text) {
        return Arrays.stream(values())
                .filter(kind -> kind.recognised.test(text.content()))
                .findFirst()
                .orElseThrow(
                        () ->
                                new LintException(
                                        ("%s: no kind of file that lint knows; write KIND:FILE"
                                                        + " with one of %s")
                                                .formatted(text.file(), words())));
    }

    private static String words() {
        return String.join(", ", Arrays.stream(values()).map(Kind::word).toList());
    }

    private static final class Patterns {
        static final Pattern LINK =
                Pattern.compile("(?m)^\\d{1,9}: \\S{1,64}: <[A-Z0-9_,-]*> .*mtu ");
        static final Pattern NUMBER = Pattern.compile("\\d{1,3}|0[xX][0-9a-fA-F]{1,2}");
        static final Pattern PARTITION =
                Pattern.compile("(?m)^[ \\t]*+[\\w-]*+[ \\t]*+(?:[=,][^#;:\\n]*+)?+:");

        private Patterns() {}
    }
}
