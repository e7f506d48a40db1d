package dev.verbena.lint;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/// What a file holds.
public enum Kind {
    /// SONiC's configuration as JSON.
    CONFIG_DB,
    /// Output of `mlnx_qos -i INTERFACE`.
    MLNX_QOS,
    /// Output of `ethtool -a INTERFACE`.
    PAUSE,
    /// Output of `ethtool INTERFACE`.
    ETHTOOL,
    /// Output of `ip link show INTERFACE`.
    IP_LINK,
    /// Output of `cma_roce_tos -d DEVICE`: a number.
    CMA_ROCE_TOS,
    /// OpenSM's `partitions.conf`.
    PARTITIONS,
    /// OpenSM's `opensm.conf`.
    OPENSM;

    private static final Pattern LINK =
            Pattern.compile("(?m)^\\d{1,9}: \\S{1,64}: <[A-Z0-9_,-]*> .*mtu ");
    private static final Pattern NUMBER = Pattern.compile("\\d{1,3}|0[xX][0-9a-fA-F]{1,2}");
    private static final Pattern PARTITION =
            Pattern.compile("(?m)^[ \\t]*+[\\w-]*+[ \\t]*+(?:[=,][^#;:\\n]*+)?+:");

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
                .filter(kind -> kind.recognises(text.content()))
                .findFirst()
                .orElseThrow(
                        () ->
                                new LintException(
                                        ("%s: no kind of file that lint knows; write KIND:FILE"
                                                        + " with one of %s")
                                                .formatted(text.file(), words())));
    }

    private boolean recognises(String text) {
        return switch (this) {
            case CONFIG_DB -> text.stripLeading().startsWith("{");
            case MLNX_QOS -> text.contains("PFC configuration:");
            case PAUSE -> text.contains("Pause parameters for ");
            case ETHTOOL -> text.contains("Settings for ");
            case IP_LINK -> LINK.matcher(text).find();
            case CMA_ROCE_TOS -> NUMBER.matcher(text.strip()).matches();
            case PARTITIONS -> text.contains(";") && PARTITION.matcher(text).find();
            case OPENSM -> OpenSmReader.hasOptions(text);
        };
    }

    private static String words() {
        return String.join(", ", Arrays.stream(values()).map(Kind::word).toList());
    }
}
