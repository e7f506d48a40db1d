package dev.verbena.plan;

/// Plans for tests, from inputs in one line such as `gpus=512 fabric=ib`.
final class Plans {
    private Plans() {}

    static Inputs inputs(String line) {
        Settings settings = new Settings();
        for (String word : line.split(" ", -1)) {
            int at = word.indexOf('=');
            settings.put(word.substring(0, at), word.substring(at + 1), word.substring(0, at));
        }
        return Inputs.of(settings);
    }

    static Plan of(String line) {
        return Plan.of(inputs(line), Catalog.builtIn());
    }

    /// The only network of a plan.
    static FabricPlan one(String line) {
        return of(line).fabrics().getFirst();
    }
}
