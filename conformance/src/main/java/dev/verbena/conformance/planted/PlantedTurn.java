package dev.verbena.conformance.planted;

import java.util.ArrayList;
import java.util.List;

/// One of several parts of a plan, chosen by a count that grows: `-Dplanted.turn=457/3`.
///
/// Successive counts try successive parts, so that as many counts as there are parts try every bug
/// once.
///
/// @param count grows by one from run to run; of commits, for example
/// @param parts in all
record PlantedTurn(int count, int parts) {
    static final String PROPERTY = "planted.turn";

    /// Every bug, in one run.
    static final PlantedTurn ALL = new PlantedTurn(0, 1);

    PlantedTurn {
        if (count < 0 || parts < 1) {
            throw refused(count + "/" + parts);
        }
    }

    static PlantedTurn parse(String text) {
        if (!text.matches("[0-9]{1,7}/[0-9]{1,4}")) {
            throw refused(text);
        }
        int slash = text.indexOf('/');
        return new PlantedTurn(
                Integer.parseInt(text.substring(0, slash)),
                Integer.parseInt(text.substring(slash + 1)));
    }

    <T> List<T> of(List<T> all) {
        List<T> chosen = new ArrayList<>();
        for (int i = count % parts; i < all.size(); i += parts) {
            chosen.add(all.get(i));
        }
        return List.copyOf(chosen);
    }

    private static PlantedException refused(String text) {
        return new PlantedException(
                "'%s' is no turn: use -D%s=COUNT/PARTS, such as 457/3".formatted(text, PROPERTY));
    }
}
