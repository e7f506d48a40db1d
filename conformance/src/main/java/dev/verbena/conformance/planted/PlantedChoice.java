package dev.verbena.conformance.planted;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Which bugs of a plan a run tries, and in which order.
///
/// Without properties it is all of them. `-Dplanted.changed=FILE,FILE` asks for the bugs of changed
/// files first, as long as it is before `-Dplanted.until=SECONDS` (since 1970);
/// `-Dplanted.turn=COUNT/PARTS` asks for one part in rotation, see [PlantedTurn].
///
/// @param changed paths of the changed files, from the root of the checkout
/// @param until when the last bug of a changed file may start
/// @param turn the part in rotation; nothing when only changed files are asked for
record PlantedChoice(List<String> changed, Instant until, Optional<PlantedTurn> turn) {
    static final String CHANGED = "planted.changed";
    static final String UNTIL = "planted.until";

    /// @param changed bugs of changed files
    /// @param others the rest of what is to be tried
    record Chosen(List<PlantedBug> changed, List<PlantedBug> others) {}

    /// The choice that the properties of this JVM ask for.
    static PlantedChoice wanted() {
        String files = System.getProperty(CHANGED, "");
        String seconds = System.getProperty(UNTIL, "");
        String turn = System.getProperty(PlantedTurn.PROPERTY, "");
        boolean isOnlyChanged = turn.isEmpty() && System.getProperties().containsKey(CHANGED);
        return new PlantedChoice(
                Arrays.stream(files.split(",", -1)).filter(file -> !file.isEmpty()).toList(),
                seconds.isEmpty() ? Instant.MAX : Instant.ofEpochSecond(Long.parseLong(seconds)),
                isOnlyChanged
                        ? Optional.empty()
                        : Optional.of(turn.isEmpty() ? PlantedTurn.ALL : PlantedTurn.parse(turn)));
    }

    /// Whether every bug is tried, whatever changed.
    boolean isAll() {
        return turn.filter(PlantedTurn.ALL::equals).isPresent();
    }

    /// A bug belongs to the changes when its file changed, when the file of the test that caught it
    /// changed, or when no run has tried it yet.
    Chosen of(List<PlantedBug> all, PlantedRecord record) {
        List<PlantedBug> first = new ArrayList<>();
        List<PlantedBug> second = new ArrayList<>();
        for (PlantedBug bug : all) {
            if (changed.isEmpty()) {
                break;
            }
            if (isChanged(bug.file().toString()) || !record.knows(bug)) {
                first.add(bug);
            } else if (record.catcher(bug)
                    .map(test -> PlantedRecord.topClass(test) + ".java")
                    .filter(this::isChanged)
                    .isPresent()) {
                second.add(bug);
            }
        }
        first.addAll(second);
        List<PlantedBug> others = new ArrayList<>(turn.map(part -> part.of(all)).orElse(List.of()));
        others.removeAll(first);
        return new Chosen(List.copyOf(first), List.copyOf(others));
    }

    private boolean isChanged(String file) {
        return changed.stream().anyMatch(path -> path.equals(file) || path.endsWith("/" + file));
    }
}
