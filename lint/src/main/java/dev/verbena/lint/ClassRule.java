package dev.verbena.lint;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/// Do PFC, priority groups and queues of a switch agree on which traffic is lossless?
final class ClassRule implements Rule {
    private static final String ENABLE = "Turn PFC on for it, or use a profile without xoff.";

    @Override
    public void check(Scene scene, Findings findings) {
        for (SwitchConfig config : scene.switches()) {
            if (config.ports().isEmpty()) {
                findings.unjudged(
                        config.place(),
                        "the ports of the switch",
                        "a table PORT with ports whose admin_status is up");
            }
            if (!config.hasBuffers() && !config.pausing().isEmpty()) {
                findings.unjudged(
                        config.place(),
                        "the headroom of lossless priorities",
                        "a table BUFFER_PG; a switch may also make it from its own defaults");
            }
            config.ports().forEach(port -> port(config, port, findings));
            withoutMaps(config, findings);
        }
    }

    private static void port(SwitchConfig config, SwitchPort port, Findings findings) {
        // A port without maps is a finding of its own.
        if (config.hasBuffers() && port.hasMaps) {
            withoutHeadroom(port, findings);
            withoutPause(port, findings);
        }
        for (int priority : config.hasBuffers() ? port.lossless() : port.pfc) {
            queues(port, priority, findings);
            unreachable(port, priority, findings);
        }
    }

    private static void withoutHeadroom(SwitchPort port, Findings findings) {
        for (int priority : port.pfc) {
            int group = port.groupOf(priority);
            if (!port.isLosslessGroup(group)) {
                BufferProfile.Use use = port.groups.get(group);
                findings.ofPort(
                        Code.VL201,
                        port.name,
                        pfcPlace(port),
                        "PFC is on for priority %d, and priority group %d has no xoff"
                                .formatted(priority, group),
                        List.of(
                                pfcPlace(port).says("pfc_enable " + pfcText(port)),
                                use == null
                                        ? port.place.says("no BUFFER_PG row for group " + group)
                                        : use.place().says("its profile has no xoff")),
                        "Give the group a lossless profile, or turn PFC off for the priority.");
            }
        }
    }

    private static void withoutPause(SwitchPort port, Findings findings) {
        Set<Integer> paused = new TreeSet<>();
        port.pfc.forEach(priority -> paused.add(port.groupOf(priority)));
        for (Map.Entry<Integer, BufferProfile.Use> group : port.groups.entrySet()) {
            if (group.getValue().isLossless() && !paused.contains(group.getKey())) {
                findings.ofPort(
                        Code.VL202,
                        port.name,
                        group.getValue().place(),
                        "priority group %d has headroom, and PFC is off for its priority"
                                .formatted(group.getKey()),
                        List.of(
                                group.getValue().place().says("a lossless profile"),
                                pfcPlace(port).says("pfc_enable " + pfcText(port))),
                        ENABLE);
            }
        }
    }

    private static void queues(SwitchPort port, int priority, Findings findings) {
        if (port.classToGroup.isEmpty() || port.classToQueue.isEmpty()) {
            return;
        }
        QosMap groups = port.classToGroup.get();
        QosMap queues = port.classToQueue.get();
        int group = port.groupOf(priority);
        int paused = port.queueOf(priority);
        for (int trafficClass : groups.entries().keySet()) {
            int queue = queues.to(trafficClass).orElse(paused);
            if (groups.to(trafficClass).orElse(-1) == group && queue != paused) {
                findings.ofPort(
                        Code.VL203,
                        port.name,
                        queues.placeOf(trafficClass),
                        "traffic class %d is in queue %d, and a pause of priority %d stops queue %d"
                                .formatted(trafficClass, queue, priority, paused),
                        Stream.of(
                                        groups.evidence(trafficClass),
                                        queues.evidence(trafficClass),
                                        port.priorityToQueue
                                                .map(map -> map.evidence(priority))
                                                .orElse(""))
                                .filter(line -> !line.isEmpty())
                                .toList(),
                        "Make the maps of traffic class and of priority lead to one queue.");
            }
        }
    }

    private static void unreachable(SwitchPort port, int priority, Findings findings) {
        if (port.dscpToClass.isEmpty() || port.classToGroup.isEmpty()) {
            return;
        }
        int group = port.groupOf(priority);
        boolean reached =
                port.dscpToClass.get().entries().values().stream()
                        .anyMatch(it -> port.classToGroup.get().to(it.asInt()).orElse(-1) == group);
        if (!reached) {
            findings.ofPort(
                    Code.VL204,
                    port.name,
                    port.dscpToClass.get().place(),
                    "no DSCP leads to priority group %d of priority %d".formatted(group, priority),
                    List.of(
                            port.dscpToClass.get().place().says("DSCP_TO_TC_MAP"),
                            port.classToGroup.get().place().says("TC_TO_PRIORITY_GROUP_MAP")),
                    "Map the DSCP of RoCE to its traffic class.");
        }
    }

    private static void withoutMaps(SwitchConfig config, Findings findings) {
        if (config.pausing().isEmpty()) {
            return;
        }
        for (SwitchPort port : config.ports()) {
            if (!port.hasMaps) {
                findings.ofPort(
                        Code.VL206,
                        port.name,
                        port.place,
                        "no row of PORT_QOS_MAP, so that its traffic is in one class that drops",
                        List.of(port.place.says("up, without QoS maps")),
                        "Add a row as the other ports have.");
            }
        }
    }

    static Place pfcPlace(SwitchPort port) {
        return port.pfcText.map(Setting::place).orElse(port.place);
    }

    static String pfcText(SwitchPort port) {
        return port.pfcText.map(it -> "'" + Shown.word(it.text()) + "'").orElse("is not there");
    }
}
