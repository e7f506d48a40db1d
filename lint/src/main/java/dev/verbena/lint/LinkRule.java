package dev.verbena.lint;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Are the two ends of a cable between switches set alike?
///
/// Which port leads where is in `DEVICE_NEIGHBOR`. Switches without a word on each other are taken
/// as of one path, and compared as a whole.
final class LinkRule implements Rule {
    @Override
    public void check(Scene scene, Findings findings) {
        List<SwitchConfig> switches = scene.switches();
        // RoCE's own DSCP is the matter of RoceClassRule.
        Set<Integer> roce = RoceClassRule.dscps(scene).collect(Collectors.toSet());
        for (int i = 0; i < switches.size(); i++) {
            for (int j = i + 1; j < switches.size(); j++) {
                pair(switches.get(i), switches.get(j), roce, findings);
            }
        }
    }

    private static void pair(
            SwitchConfig one, SwitchConfig other, Set<Integer> roce, Findings findings) {
        boolean linked = links(one, other, roce, findings) || links(other, one, roce, findings);
        if (!linked && !one.pausing().isEmpty() && !other.pausing().isEmpty()) {
            SwitchPort port = one.pausing().getFirst();
            SwitchPort peer = other.pausing().getFirst();
            priorities(port, peer, other, findings);
            dscps(port, peer, other, roce, findings);
        }
    }

    /// Whether the neighbours of one name a port of the other.
    private static boolean links(
            SwitchConfig one, SwitchConfig other, Set<Integer> roce, Findings findings) {
        boolean linked = false;
        for (SwitchPort port : one.towards(other.name())) {
            Optional<SwitchPort> peer = peer(port, one, other);
            linked |= peer.isPresent();
            peer.ifPresent(it -> link(port, it, other, roce, findings));
        }
        return linked;
    }

    /// The port that a neighbour's row names; without a name, the one that names this port.
    private static Optional<SwitchPort> peer(
            SwitchPort port, SwitchConfig one, SwitchConfig other) {
        String name = port.neighbourPort.map(Setting::text).orElse("");
        return name.isEmpty()
                ? other.towards(one.name()).stream()
                        .filter(
                                it ->
                                        it.neighbourPort
                                                .map(Setting::text)
                                                .equals(Optional.of(port.name)))
                        .findFirst()
                : other.ports().stream().filter(it -> it.name.equals(name)).findFirst();
    }

    private static void link(
            SwitchPort port,
            SwitchPort peer,
            SwitchConfig other,
            Set<Integer> roce,
            Findings findings) {
        figures(Code.VL602, "MTU", port, port.mtu, peer, peer.mtu, other, findings);
        figures(Code.VL605, "speed", port, port.speedMbits, peer, peer.speedMbits, other, findings);
        figures(
                Code.VL606,
                "cable length",
                port,
                port.cableMetres,
                peer,
                peer.cableMetres,
                other,
                findings);
        priorities(port, peer, other, findings);
        dscps(port, peer, other, roce, findings);
    }

    private static void figures(
            Code code,
            String what,
            SwitchPort port,
            Optional<Figure> here,
            SwitchPort peer,
            Optional<Figure> there,
            SwitchConfig other,
            Findings findings) {
        if (here.isPresent() && there.isPresent() && here.get().value() != there.get().value()) {
            findings.ofPort(
                    code,
                    port.name,
                    here.get().place(),
                    "%s %d, and %d at its peer on %s"
                            .formatted(
                                    what,
                                    here.get().value(),
                                    there.get().value(),
                                    Shown.word(other.name())),
                    List.of(
                            here.get().place().says("%s %d".formatted(what, here.get().value())),
                            there.get()
                                    .place()
                                    .says(
                                            "%s: %s %d"
                                                    .formatted(
                                                            Shown.word(peer.name),
                                                            what,
                                                            there.get().value()))),
                    "Set both ends alike.");
        }
    }

    private static void priorities(
            SwitchPort port, SwitchPort peer, SwitchConfig other, Findings findings) {
        if (!port.pfc.equals(peer.pfc)) {
            findings.ofPort(
                    Code.VL603,
                    port.name,
                    ClassRule.pfcPlace(port),
                    "PFC for %s, and for %s at its peer on %s"
                            .formatted(port.pfc, peer.pfc, Shown.word(other.name())),
                    List.of(
                            ClassRule.pfcPlace(port).says("pfc_enable " + ClassRule.pfcText(port)),
                            ClassRule.pfcPlace(peer).says("pfc_enable " + ClassRule.pfcText(peer))),
                    "Use the same priorities along the whole path.");
        }
    }

    /// Of ends with the same priorities only: other ones have other DSCPs anyway.
    private static void dscps(
            SwitchPort port,
            SwitchPort peer,
            SwitchConfig other,
            Set<Integer> roce,
            Findings findings) {
        if (port.dscpToClass.isEmpty()
                || peer.dscpToClass.isEmpty()
                || !port.pfc.equals(peer.pfc)) {
            return;
        }
        Set<Integer> here = port.losslessDscps();
        Set<Integer> there = peer.losslessDscps();
        Set<Integer> different = new TreeSet<>(here);
        different.addAll(there);
        different.removeAll(roce);
        different.removeIf(dscp -> here.contains(dscp) == there.contains(dscp));
        if (!different.isEmpty()) {
            int first = different.iterator().next();
            findings.ofPort(
                    Code.VL604,
                    port.name,
                    port.dscpToClass.get().placeOf(first),
                    "DSCP %s lossless on one side only of the link to %s"
                            .formatted(different, Shown.word(other.name())),
                    List.of(
                            port.dscpToClass.get().evidence(first),
                            peer.dscpToClass.get().evidence(first)),
                    "Use the same map of DSCP along the whole path.");
        }
    }
}
