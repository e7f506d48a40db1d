package dev.verbena.fabric;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// The generations of InfiniBand links, by what one lane carries (IBA volume 2): signals, less the
/// line coding. A link has several lanes; its name is that of its lanes, as in `4xHDR`.
public enum Generation {
    SDR(2_500_000_000L, 8, 10),
    DDR(5_000_000_000L, 8, 10),
    QDR(10_000_000_000L, 8, 10),
    FDR10(10_312_500_000L, 64, 66),
    FDR(14_062_500_000L, 64, 66),
    EDR(25_781_250_000L, 64, 66),
    // RS(544,514) and 256 of 257 bits: 16 of 17 together.
    HDR(53_125_000_000L, 16, 17),
    NDR(106_250_000_000L, 16, 17),
    XDR(212_500_000_000L, 16, 17);

    /// Lanes of a link that is named without them.
    private static final int USUAL_LANES = 4;

    /// The usual width first: a rate can have several names.
    private static final List<Integer> WIDTHS = List.of(USUAL_LANES, 1, 2, 8, 12);

    private static final Pattern NAME = Pattern.compile("(?:(\\d{1,2})x)?([A-Z]+\\d*)");

    private final long lineBits;
    private final int data;
    private final int coded;

    /// @param lineBits bits on the lane in a second, of which `data` in `coded` are data
    Generation(long lineBits, int data, int coded) {
        this.lineBits = lineBits;
        this.data = data;
        this.coded = coded;
    }

    /// The data rate of a link of this generation.
    public Rate of(int lanes) {
        if (!WIDTHS.contains(lanes)) {
            throw new IllegalArgumentException(
                    "a link of %d lanes: use 1, 2, 4, 8 or 12".formatted(lanes));
        }
        return new Rate(lineBits * lanes * data / coded);
    }

    /// Reads a name such as `4xHDR`, or `HDR` for four lanes.
    public static Rate parse(String name) {
        Matcher found = NAME.matcher(name);
        Optional<Generation> generation =
                found.matches()
                        ? Arrays.stream(values())
                                .filter(it -> it.name().equals(found.group(2)))
                                .findFirst()
                        : Optional.empty();
        if (generation.isEmpty()) {
            throw new IllegalArgumentException(
                    "\"%s\" is no InfiniBand speed: use lanes and one of %s, as in 4xHDR"
                            .formatted(name, names()));
        }
        String lanes = found.group(1);
        return generation.get().of(lanes == null ? USUAL_LANES : Integer.parseInt(lanes));
    }

    private static String names() {
        return Arrays.stream(values()).map(Generation::name).collect(Collectors.joining(", "));
    }

    /// The name of a rate that InfiniBand has.
    static Optional<String> nameOf(Rate rate) {
        for (int lanes : WIDTHS) {
            for (Generation generation : values()) {
                if (generation.of(lanes).equals(rate)) {
                    return Optional.of(lanes + "x" + generation);
                }
            }
        }
        return Optional.empty();
    }
}
