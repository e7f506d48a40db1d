package dev.verbena.lint;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// A port of a switch, with all that the tables say of it. Filled by [SwitchReader].
final class SwitchPort {
    final String name;
    final Place place;
    boolean isUp;
    Optional<Figure> speedMbits = Optional.empty();
    Optional<Figure> mtu = Optional.empty();
    Optional<Figure> cableMetres = Optional.empty();
    Optional<Setting> neighbour = Optional.empty();
    Optional<Setting> neighbourPort = Optional.empty();
    boolean hasMaps;
    Optional<Setting> pfcText = Optional.empty();
    Set<Integer> pfc = Set.of();
    Optional<QosMap> dscpToClass = Optional.empty();
    Optional<QosMap> classToGroup = Optional.empty();
    Optional<QosMap> classToQueue = Optional.empty();
    Optional<QosMap> priorityToQueue = Optional.empty();
    Optional<QosMap> priorityToGroup = Optional.empty();
    final Map<Integer, BufferProfile.Use> groups = new TreeMap<>();
    final Map<Integer, BufferProfile.Use> queues = new TreeMap<>();
    final Map<Integer, MarkingProfile> marking = new TreeMap<>();
    Optional<Watchdog> watchdog = Optional.empty();

    SwitchPort(String name, Place place) {
        this.name = name;
        this.place = place;
    }

    /// The priority group that a pause of this priority is for: the one of the same number, unless
    /// a map says otherwise.
    int groupOf(int priority) {
        return priorityToGroup
                .map(map -> map.to(priority))
                .orElse(OptionalInt.empty())
                .orElse(priority);
    }

    /// The queue that a pause of this priority stops.
    int queueOf(int priority) {
        return priorityToQueue
                .map(map -> map.to(priority))
                .orElse(OptionalInt.empty())
                .orElse(priority);
    }

    boolean isLosslessGroup(int group) {
        return group(group).filter(BufferProfile.Use::isLossless).isPresent();
    }

    /// How a priority group uses the buffer; empty when the file has no row for it.
    Optional<BufferProfile.Use> group(int group) {
        return Optional.ofNullable(groups.get(group));
    }

    /// Priorities that are paused and have headroom for it.
    Set<Integer> lossless() {
        Set<Integer> both = new TreeSet<>(pfc);
        both.removeIf(priority -> !isLosslessGroup(groupOf(priority)));
        return both;
    }

    /// DSCPs that lead to a priority group which is paused before it drops.
    Set<Integer> losslessDscps() {
        Set<Integer> dscps = new TreeSet<>();
        dscpToClass.ifPresent(map -> dscps.addAll(map.entries().keySet()));
        dscps.removeIf(dscp -> !isLosslessDscp(dscp));
        return dscps;
    }

    boolean isLosslessDscp(int dscp) {
        OptionalInt group = groupOfDscp(dscp);
        return group.isPresent()
                && pfc.stream().anyMatch(priority -> groupOf(priority) == group.getAsInt());
    }

    private OptionalInt groupOfDscp(int dscp) {
        OptionalInt trafficClass = dscpToClass.map(map -> map.to(dscp)).orElse(OptionalInt.empty());
        return trafficClass.isEmpty()
                ? trafficClass
                : classToGroup.map(map -> map.to(trafficClass.getAsInt())).orElse(trafficClass);
    }
}
