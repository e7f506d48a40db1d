package dev.verbena.lint;

import java.util.List;
import java.util.OptionalDouble;

/// Is a host set as the port of the switch that it is connected to?
///
/// Without a row in `DEVICE_NEIGHBOR` for the host, it is held against the ports that have PFC.
final class HostLinkRule implements Rule {
    @Override
    public void check(Scene scene, Findings findings) {
        for (HostSettings host : scene.hosts()) {
            for (SwitchConfig config : scene.switches()) {
                List<SwitchPort> ports = config.towards(host.name);
                if (ports.isEmpty() && scene.switches().size() > 1 && isPlaced(scene, host)) {
                    continue;
                }
                boolean placed = !ports.isEmpty();
                for (SwitchPort port : placed ? ports : config.pausing()) {
                    link(host, port, placed, scene.assumptions(), findings);
                }
            }
        }
    }

    private static boolean isPlaced(Scene scene, HostSettings host) {
        return scene.switches().stream().anyMatch(it -> !it.towards(host.name).isEmpty());
    }

    private static void link(
            HostSettings host,
            SwitchPort port,
            boolean placed,
            Assumptions assumptions,
            Findings findings) {
        mtu(host, port, findings);
        if (placed) {
            speed(host, port, findings);
            cable(host, port, assumptions, findings);
        }
        if (host.qos.isPresent() && !host.qos.get().pfc().isEmpty()) {
            priorities(host, host.qos.get(), port, findings);
        }
    }

    private static void mtu(HostSettings host, SwitchPort port, Findings findings) {
        if (host.mtu.isPresent()
                && port.mtu.isPresent()
                && host.mtu.get().value() > port.mtu.get().value()) {
            findings.ofPort(
                    Code.VL602,
                    port.name,
                    port.mtu.get().place(),
                    "takes packets of %d bytes, and host %s sends up to %d"
                            .formatted(
                                    port.mtu.get().value(),
                                    Shown.word(host.name),
                                    host.mtu.get().value()),
                    List.of(
                            port.mtu.get().place().says("mtu " + port.mtu.get().value()),
                            host.mtu.get().place().says("mtu " + host.mtu.get().value())),
                    "Raise the switch's MTU, or lower the host's.");
        }
    }

    private static void speed(HostSettings host, SwitchPort port, Findings findings) {
        if (host.speedMbits.isPresent()
                && port.speedMbits.isPresent()
                && host.speedMbits.get().value() != port.speedMbits.get().value()) {
            Figure here = port.speedMbits.get();
            Figure there = host.speedMbits.get();
            findings.ofPort(
                    Code.VL605,
                    port.name,
                    here.place(),
                    "speed %d Mb/s, and %d at host %s"
                            .formatted(here.value(), there.value(), Shown.word(host.name)),
                    List.of(
                            here.place().says("speed " + here.value()),
                            there.place().says("Speed: %dMb/s".formatted(there.value()))),
                    "Set both ends alike.");
        }
    }

    private static void cable(
            HostSettings host, SwitchPort port, Assumptions assumptions, Findings findings) {
        OptionalDouble metres = HeadroomRule.metres(port, assumptions);
        NicQos qos = host.qos.orElse(null);
        if (qos == null || qos.cableMetres().isEmpty() || metres.isEmpty()) {
            return;
        }
        Figure reserved = qos.cableMetres().get();
        if (reserved.value() < metres.getAsDouble()) {
            findings.ofPort(
                    Code.VL705,
                    host.name,
                    reserved.place(),
                    "reserves headroom for %d m, and its cable has %.0f m"
                            .formatted(reserved.value(), metres.getAsDouble()),
                    List.of(
                            reserved.place().says("Cable len: " + reserved.value()),
                            port.cableMetres
                                    .map(it -> it.place().says("cable %dm".formatted(it.value())))
                                    .orElse("--cable-length")),
                    "Run mlnx_qos --cable_len=%.0f.".formatted(metres.getAsDouble()));
        }
    }

    private static void priorities(
            HostSettings host, NicQos qos, SwitchPort port, Findings findings) {
        if (!qos.pfc().equals(port.pfc)) {
            Place place = qos.pfcText().map(Setting::place).orElse(host.place);
            findings.ofPort(
                    Code.VL603,
                    host.name,
                    place,
                    "PFC for %s, and for %s at the switch".formatted(qos.pfc(), port.pfc),
                    List.of(
                            place.says(qos.pfcText().map(Setting::text).orElse("")),
                            ClassRule.pfcPlace(port).says("pfc_enable " + ClassRule.pfcText(port))),
                    "Use the same priorities along the whole path.");
        }
    }
}
