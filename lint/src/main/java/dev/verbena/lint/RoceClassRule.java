package dev.verbena.lint;

import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;

/// Does the DSCP that hosts give to RoCE lead into a lossless class of the switches?
final class RoceClassRule implements Rule {
    @Override
    public void check(Scene scene, Findings findings) {
        for (SwitchConfig config : scene.switches()) {
            for (SwitchPort port : config.pausing()) {
                dscps(scene, config, port).forEach(dscp -> port(port, dscp, findings));
            }
            if (!config.pausing().isEmpty() && dscps(scene).findAny().isEmpty()) {
                findings.unjudged(
                        config.place(),
                        "whether RoCE travels in a lossless class",
                        "its DSCP: --dscp, or the output of cma_roce_tos");
            }
        }
    }

    /// All that are known: those of hosts, else the caller's.
    static Stream<Integer> dscps(Scene scene) {
        List<Integer> ofHosts = known(scene.hosts().stream().map(HostSettings::dscp));
        return ofHosts.isEmpty()
                ? known(Stream.of(scene.assumptions().dscp())).stream()
                : ofHosts.stream();
    }

    private static List<Integer> known(Stream<OptionalInt> dscps) {
        return dscps.flatMapToInt(OptionalInt::stream).boxed().toList();
    }

    /// Those of the hosts; of a port that leads to one of them, only this host's.
    private static Stream<Integer> dscps(Scene scene, SwitchConfig config, SwitchPort port) {
        List<HostSettings> here =
                scene.hosts().stream()
                        .filter(host -> config.towards(host.name).contains(port))
                        .toList();
        Stream<Integer> dscps =
                here.isEmpty()
                        ? dscps(scene)
                        : known(here.stream().map(host -> host.roceDscp(scene.assumptions())))
                                .stream();
        return dscps.distinct();
    }

    private static void port(SwitchPort port, int dscp, Findings findings) {
        if (port.dscpToClass.isEmpty() || port.isLosslessDscp(dscp)) {
            return;
        }
        QosMap map = port.dscpToClass.get();
        findings.ofPort(
                Code.VL205,
                port.name,
                map.placeOf(dscp),
                "DSCP %d of RoCE leads into a class without PFC".formatted(dscp),
                List.of(
                        map.evidence(dscp),
                        ClassRule.pfcPlace(port).says("pfc_enable " + ClassRule.pfcText(port))),
                "Map DSCP %d to the traffic class of a lossless priority.".formatted(dscp));
    }
}
