package dev.verbena.lint;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Is the headroom of each lossless priority group enough for its cable and rate?
final class HeadroomRule implements Rule {
    /// How SONiC names profiles that it takes from a table: speed in Mb/s, length.
    private static final Pattern NAME = Pattern.compile("pg_lossless_(\\d{1,9})_(\\d{1,6})m_.*");

    @Override
    public void check(Scene scene, Findings findings) {
        for (SwitchConfig config : scene.switches()) {
            for (SwitchPort port : config.pausing()) {
                port.lossless().stream()
                        .flatMap(priority -> port.group(port.groupOf(priority)).stream())
                        .distinct()
                        .forEach(use -> use(config, port, use, scene.assumptions(), findings));
            }
        }
    }

    private static void use(
            SwitchConfig config,
            SwitchPort port,
            BufferProfile.Use use,
            Assumptions assumptions,
            Findings findings) {
        OptionalDouble metres = metres(port, assumptions);
        if (metres.isEmpty()) {
            findings.unjudged(
                    config.place(),
                    "headroom of ports without a row in CABLE_LENGTH",
                    "the length of their cables: --cable-length");
            return;
        }
        if (metres.getAsDouble() == 0) {
            findings.ofPort(
                    Code.VL308,
                    port.name,
                    port.cableMetres.map(Figure::place).orElse(port.place),
                    "its cable has the length 0m, for which a switch reserves nothing",
                    List.of(port.cableMetres.map(it -> it.place().says("0m")).orElse("")),
                    "Give the length of the cable, rounded up.");
            return;
        }
        if (use.profile().isEmpty()) {
            findings.unjudged(
                    config.place(),
                    "headroom that the switch calculates itself",
                    "the result: 'show buffer information' on the switch");
        } else if (port.speedMbits.isEmpty()) {
            findings.unjudged(port.place, "headroom of " + port.name, "its speed in PORT");
        } else {
            profile(port, use.profile().get(), metres.getAsDouble(), findings);
        }
    }

    static OptionalDouble metres(SwitchPort port, Assumptions assumptions) {
        Optional<Figure> known = port.cableMetres;
        return known.isPresent()
                ? OptionalDouble.of((double) known.get().value())
                : assumptions.cableMetres();
    }

    private static void profile(
            SwitchPort port, BufferProfile profile, double metres, Findings findings) {
        long mbits = port.speedMbits.map(Figure::value).orElseThrow();
        Figure xoff = profile.xoff().orElseThrow();
        long least = Headroom.least(mbits, metres);
        OptionalLong reaction = Headroom.ofReaction(mbits);
        List<String> evidence = new ArrayList<>();
        evidence.add(xoff.place().says("%s: xoff %,d".formatted(profile.name(), xoff.value())));
        port.speedMbits.ifPresent(it -> evidence.add(it.place().says("speed " + it.value())));
        evidence.add(
                port.cableMetres
                        .map(it -> it.place().says("cable %dm".formatted(it.value())))
                        .orElse("--cable-length " + length(metres)));
        String cable = "%s at %d Gb/s".formatted(length(metres), mbits / 1_000);
        if (xoff.value() < least) {
            findings.ofPort(
                    Code.VL301,
                    port.name,
                    xoff.place(),
                    "headroom of %,d bytes, and a cable of %s needs %,d"
                            .formatted(xoff.value(), cable, least),
                    evidence,
                    remedy(least, reaction.orElse(0)));
        } else if (reaction.isPresent() && xoff.value() < least + reaction.getAsLong()) {
            findings.ofPort(
                    Code.VL302,
                    port.name,
                    xoff.place(),
                    "headroom of %,d bytes: a cable of %s needs %,d, a slow peer %,d more"
                            .formatted(xoff.value(), cable, least, reaction.getAsLong()),
                    evidence,
                    remedy(least, reaction.getAsLong()));
        } else {
            name(port, profile, metres, evidence, findings);
        }
    }

    private static String remedy(long least, long reaction) {
        String peer =
                reaction == 0
                        ? ""
                        : ": %,d of them for the time that the peer may take".formatted(reaction);
        return "Use an xoff of %,d bytes or more%s.".formatted(least + reaction, peer);
    }

    private static void name(
            SwitchPort port,
            BufferProfile profile,
            double metres,
            List<String> evidence,
            Findings findings) {
        Matcher name = NAME.matcher(profile.name());
        if (!name.matches()) {
            return;
        }
        boolean sameSpeed =
                Long.parseLong(name.group(1)) == port.speedMbits.map(Figure::value).orElse(0L);
        boolean sameCable =
                port.cableMetres.isEmpty() || Double.parseDouble(name.group(2)) == metres;
        if (!sameSpeed || !sameCable) {
            findings.ofPort(
                    Code.VL303,
                    port.name,
                    profile.place(),
                    "profile %s is for %s Mb/s and %sm"
                            .formatted(Shown.word(profile.name()), name.group(1), name.group(2)),
                    evidence,
                    "Use the profile of this speed and length.");
        }
    }

    private static String length(double metres) {
        return metres == Math.rint(metres)
                ? "%.0fm".formatted(metres)
                : String.format(Locale.ROOT, "%.1fm", metres);
    }
}
