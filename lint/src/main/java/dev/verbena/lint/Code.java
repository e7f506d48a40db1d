package dev.verbena.lint;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/// All that can be found. A code keeps its meaning for ever: scripts wait for it.
public enum Code {
    VL101(Severity.ERROR, "A value cannot be read."),
    VL102(Severity.WARNING, "A key is given twice, and only the last one counts."),
    VL103(Severity.ERROR, "A name refers to an entry that is not in the file."),

    VL201(Severity.ERROR, "PFC is on for a priority whose priority group has no headroom."),
    VL202(Severity.ERROR, "A lossless priority group has no priority that PFC can pause."),
    VL203(Severity.ERROR, "A pause stops another queue than the one that the packets use."),
    VL204(Severity.WARNING, "No DSCP leads into a lossless priority."),
    VL205(Severity.ERROR, "The DSCP of RoCE leads into a class that drops."),
    VL206(Severity.WARNING, "A port has no QoS maps, and others have."),

    VL301(Severity.ERROR, "Headroom is less than the packets on the cable need."),
    VL302(Severity.WARNING, "Headroom leaves the peer too little time to react to a pause."),
    VL303(Severity.WARNING, "A buffer profile is named after another speed or cable."),
    VL304(Severity.ERROR, "The shared headroom is less than one priority group may take of it."),
    VL305(Severity.WARNING, "No pool reserves the headroom of a profile."),
    VL306(Severity.ERROR, "A buffer profile uses a pool of the other direction."),
    VL307(Severity.WARNING, "The egress queue of a lossless priority may drop."),
    VL308(Severity.WARNING, "The cable of a lossless port has the length 0."),

    VL401(Severity.WARNING, "The queue of a lossless priority marks no packets."),
    VL402(Severity.ERROR, "The queue of a lossless priority drops early in place of marking."),
    VL403(Severity.ERROR, "Marking begins above the length where it is to be certain."),
    VL404(Severity.WARNING, "Switches pause before they mark."),
    VL405(Severity.WARNING, "Marking begins before a round trip fills the link."),
    VL406(Severity.WARNING, "A marking profile is off for green packets."),

    VL501(Severity.WARNING, "A port with PFC has no watchdog."),
    VL502(Severity.ERROR, "A time of the watchdog is missing or outside its limits."),
    VL503(Severity.WARNING, "The watchdog looks less often than it is to react."),
    VL504(Severity.WARNING, "The watchdog does not end a pause storm."),

    VL601(Severity.WARNING, "An MTU is too small for RoCE packets of 4,096 bytes."),
    VL602(Severity.ERROR, "The ends of a link have different MTUs."),
    VL603(Severity.ERROR, "The ends of a link have different lossless priorities."),
    VL604(Severity.ERROR, "A DSCP is lossless at one end of a path and not at the other."),
    VL605(Severity.ERROR, "The ends of a link have different speeds."),
    VL606(Severity.WARNING, "The ends of a link have different cable lengths."),

    VL701(Severity.ERROR, "A host does not go by DSCP."),
    VL702(Severity.ERROR, "A host has PFC for no priority."),
    VL703(Severity.ERROR, "A host sends RoCE in a priority without PFC."),
    VL704(Severity.WARNING, "A host pauses whole links beside single priorities."),
    VL705(Severity.WARNING, "A host reserves headroom for a shorter cable."),
    VL706(Severity.WARNING, "The traffic class of a lossless priority has no bandwidth."),

    VL801(Severity.WARNING, "The routing engine may leave credit loops."),
    VL802(Severity.WARNING, "OpenSM falls back to minhop without a sign but its log."),
    VL803(Severity.WARNING, "Fat-tree routing has no list of roots."),
    VL804(Severity.ERROR, "A routing engine needs QoS, which is off."),
    VL805(Severity.ERROR, "A routing engine is unknown."),
    VL806(Severity.ERROR, "A partition has a service level, and QoS is off."),
    VL807(Severity.ERROR, "A service level in use is mapped to VL15, which drops it."),
    VL808(Severity.WARNING, "A mapping of service levels to lanes has not 16 entries."),
    VL809(Severity.WARNING, "Partitions of different service levels share a lane."),
    VL810(Severity.ERROR, "A lane in use has no share in the arbitration."),
    VL811(Severity.WARNING, "Every node may read the management key."),
    VL812(Severity.WARNING, "The management key's lease ends before the next sweep."),
    VL813(Severity.WARNING, "The subnet manager does not sweep."),
    VL814(Severity.WARNING, "OpenSM replaces a value that is out of range."),
    VL815(Severity.WARNING, "An option is unknown, and its name is close to a known one."),
    VL816(Severity.WARNING, "Switches do not enforce partitions."),

    VL901(
            Severity.WARNING,
            "No rule names the default partition, so that hosts are limited in it."),
    VL902(Severity.WARNING, "Two names have one P_Key, and OpenSM joins the partitions."),
    VL903(Severity.ERROR, "A partition has no full member."),
    VL904(Severity.ERROR, "A partition has a code that InfiniBand does not have."),
    VL905(Severity.ERROR, "A rule is malformed.");

    private final Severity severity;
    private final String meaning;

    Code(Severity severity, String meaning) {
        this.severity = severity;
        this.meaning = meaning;
    }

    public Severity severity() {
        return severity;
    }

    public String meaning() {
        return meaning;
    }

    public Area area() {
        return Area.of(name());
    }

    /// The explanation of this code: Markdown, from the heading to the next one.
    public String explanation() {
        String page = page();
        int from = page.indexOf("### " + name() + "\n");
        int to = page.indexOf("\n### ", from + 1);
        int end = page.indexOf("\n## ", from + 1);
        int next = to < 0 ? end : end < 0 ? to : Math.min(to, end);
        return page.substring(from, next < 0 ? page.length() : next + 1).strip() + "\n";
    }

    /// All explanations, with a heading for each area.
    public static String page() {
        try (InputStream text = Code.class.getResourceAsStream("codes.md")) {
            return new String(Objects.requireNonNull(text).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
