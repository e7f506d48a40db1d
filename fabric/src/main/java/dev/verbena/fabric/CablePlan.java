package dev.verbena.fabric;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/// What a cable of a topology has of its own; the rest is as in the settings of the fabric.
///
/// @param rate rate of each direction, or null as in the settings
/// @param delayPs time from one end to the other, or [#AS_SET]
public record CablePlan(@Nullable Rate rate, long delayPs) {
    /// In place of a delay: that of the settings.
    public static final long AS_SET = -1;

    /// A cable as in the settings.
    public static final CablePlan USUAL = new CablePlan(null, AS_SET);

    public CablePlan {
        if (delayPs != AS_SET) {
            Cable.checkDelay(delayPs);
        }
    }

    public CablePlan withRate(Rate value) {
        return new CablePlan(value, delayPs);
    }

    public CablePlan withMetres(double metres) {
        return new CablePlan(rate, Cable.delayPs(metres));
    }

    public boolean hasRate() {
        return rate != null;
    }

    public boolean hasLength() {
        return delayPs != AS_SET;
    }

    /// The cable, where `usual` is that of the settings.
    public Cable over(Cable usual) {
        return new Cable(
                rate == null ? usual.rate() : rate, hasLength() ? delayPs : usual.delayPs());
    }

    /// As it is written in a netfile, such as `100m 4xHDR`; empty for one as in the settings.
    @Override
    public String toString() {
        String length = hasLength() ? plain(Cable.metres(delayPs)) + "m" : "";
        String speed = rate == null ? "" : Generation.nameOf(rate).orElseGet(this::gbits);
        return (length + " " + speed).strip();
    }

    private String gbits() {
        return rate == null ? "" : plain(BigDecimal.valueOf(rate.bitsPerSecond(), 9)) + "Gb/s";
    }

    private static String plain(BigDecimal number) {
        return number.stripTrailingZeros().toPlainString();
    }
}
