package dev.verbena.testkit.planted;

import java.util.ArrayList;
import java.util.List;

/// Which of the planted bugs a run tries: all, or every so many of them, `-Dplanted.part=2/3`.
///
/// @param number of this part, from 1
/// @param parts in all
record PlantedPart(int number, int parts) {
    private static final String PROPERTY = "planted.part";

    PlantedPart {
        if (parts < 1 || number < 1 || number > parts) {
            throw new PlantedException(
                    "part %d of %d: use -D%s=1/1 to N/N".formatted(number, parts, PROPERTY));
        }
    }

    /// What the property says; all unless it is set.
    static PlantedPart wanted() {
        return parse(System.getProperty(PROPERTY, "1/1"));
    }

    static PlantedPart parse(String text) {
        if (!text.matches("[0-9]{1,4}/[0-9]{1,4}")) {
            throw new PlantedException("'%s' is no part: use -D%s=2/3".formatted(text, PROPERTY));
        }
        int slash = text.indexOf('/');
        return new PlantedPart(
                Integer.parseInt(text.substring(0, slash)),
                Integer.parseInt(text.substring(slash + 1)));
    }

    <T> List<T> of(List<T> all) {
        List<T> chosen = new ArrayList<>();
        for (int i = number - 1; i < all.size(); i += parts) {
            chosen.add(all.get(i));
        }
        return List.copyOf(chosen);
    }
}
