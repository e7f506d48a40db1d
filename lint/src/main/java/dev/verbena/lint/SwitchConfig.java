package dev.verbena.lint;

import java.util.List;
import java.util.Optional;

/// What a `config_db.json` says of a switch.
///
/// @param name of the switch
/// @param ports those that are up
/// @param hasBuffers whether the file says which priority groups have headroom
/// @param watchdogPoll milliseconds between two looks of the watchdog
record SwitchConfig(
        String name,
        Place place,
        List<SwitchPort> ports,
        boolean hasBuffers,
        Optional<Figure> watchdogPoll) {

    /// Ports that pause.
    List<SwitchPort> pausing() {
        return ports.stream().filter(port -> !port.pfc.isEmpty()).toList();
    }

    /// Ports whose cable goes to the device of this name.
    List<SwitchPort> towards(String device) {
        return ports.stream()
                .filter(port -> port.neighbour.filter(it -> it.text().equals(device)).isPresent())
                .toList();
    }
}
