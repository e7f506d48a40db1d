package dev.verbena.lint;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// What `mlnx_qos` prints of an interface.
///
/// @param trust `dscp` or `pcp`: by which field packets get their priority
/// @param priorities the priority of each DSCP
/// @param cableMetres the length that the NIC reserves headroom for
/// @param pfcText the line that says for which priorities PFC is on
/// @param pfc those priorities
/// @param classes how the NIC divides its bandwidth
record NicQos(
        Optional<Setting> trust,
        Map<Integer, Figure> priorities,
        Optional<Figure> cableMetres,
        Optional<Setting> pfcText,
        Set<Integer> pfc,
        List<TrafficClass> classes) {

    /// @param percent its share, where classes have shares
    record TrafficClass(
            int number,
            Place place,
            String text,
            Optional<Figure> percent,
            Set<Integer> priorities) {}
}
