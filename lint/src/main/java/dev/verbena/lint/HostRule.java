package dev.verbena.lint;

import java.util.List;
import java.util.OptionalInt;

/// Does a host send RoCE in a class that it lets be paused?
final class HostRule implements Rule {
    @Override
    public void check(Scene scene, Findings findings) {
        for (HostSettings host : scene.hosts()) {
            host.qos.ifPresent(qos -> qos(host, qos, scene.assumptions(), findings));
        }
    }

    private static void qos(
            HostSettings host, NicQos qos, Assumptions assumptions, Findings findings) {
        if (qos.pfcText().isEmpty()) {
            return; // The reader has said so.
        }
        Setting pfc = qos.pfcText().get();
        boolean byDscp = qos.trust().filter(it -> it.text().equals("pcp")).isEmpty();
        if (!byDscp) {
            Setting trust = qos.trust().orElseThrow();
            findings.add(
                    Code.VL701,
                    trust.place(),
                    host.name + " goes by the priority of VLAN tags, which routed packets lose",
                    List.of(
                            trust.place()
                                    .says("Priority trust state: " + Shown.word(trust.text()))),
                    "Run mlnx_qos --trust dscp.");
        }
        if (qos.pfc().isEmpty()) {
            findings.add(
                    Code.VL702,
                    pfc.place(),
                    host.name + " sends and obeys no pauses of single priorities",
                    List.of(pfc.place().says(pfc.text())),
                    "Run mlnx_qos --pfc 0,0,0,1,0,0,0,0, with the switch's priorities.");
            return;
        }
        if (byDscp) {
            roce(host, qos, pfc, host.roceDscp(assumptions), findings);
        }
        host.pause.ifPresent(pause -> wholeLink(host, pause, pfc, findings));
        qos.classes().forEach(it -> bandwidth(host, qos, it, findings));
    }

    private static void roce(
            HostSettings host, NicQos qos, Setting pfc, OptionalInt dscp, Findings findings) {
        if (dscp.isEmpty()) {
            findings.unjudged(
                    host.place,
                    "whether RoCE travels in a priority with PFC",
                    "its DSCP: --dscp, or the output of cma_roce_tos");
            return;
        }
        int priority = HostSettings.priorityOf(qos, dscp.getAsInt());
        if (!qos.pfc().contains(priority)) {
            Place place = host.typeOfService.map(Figure::place).orElse(pfc.place());
            findings.add(
                    Code.VL703,
                    place,
                    "%s sends RoCE with DSCP %d, of priority %d, and PFC is on for %s"
                            .formatted(host.name, dscp.getAsInt(), priority, qos.pfc()),
                    List.of(
                            host.typeOfService
                                    .map(it -> it.place().says("type of service " + it.value()))
                                    .orElse("--dscp " + dscp.getAsInt()),
                            pfc.place().says(pfc.text())),
                    "Use a DSCP of a priority with PFC: cma_roce_tos -d DEVICE -t 106 is 26.");
        }
    }

    private static void wholeLink(
            HostSettings host, Setting pause, Setting pfc, Findings findings) {
        findings.add(
                Code.VL704,
                pause.place(),
                host.name + " has pauses of the whole link on beside PFC",
                List.of(pause.place().says(pause.text()), pfc.place().says(pfc.text())),
                "Run ethtool -A INTERFACE rx off tx off.");
    }

    private static void bandwidth(
            HostSettings host, NicQos qos, NicQos.TrafficClass it, Findings findings) {
        boolean lossless = it.priorities().stream().anyMatch(qos.pfc()::contains);
        if (lossless && it.percent().filter(percent -> percent.value() == 0).isPresent()) {
            findings.add(
                    Code.VL706,
                    it.place(),
                    "%s: traffic class %d has a share of 0%%, and a lossless priority"
                            .formatted(host.name, it.number()),
                    List.of(it.place().says(Shown.word(it.text()))),
                    "Give it a share with mlnx_qos --tc_bw.");
        }
    }
}
