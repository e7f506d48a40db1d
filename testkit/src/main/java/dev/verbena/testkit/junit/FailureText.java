package dev.verbena.testkit.junit;

import java.nio.file.Path;
import java.util.Optional;

/// The text that a failed test adds to its own message: the seed, the faults, and the command that
/// repeats it.
final class FailureText {
    private FailureText() {}

    static String of(String message, Run run) {
        Plan plan = run.plan();
        String test = plan.testClass() + "#" + plan.method();
        String device =
                plan.properties().device().map(it -> " -Dverbena.device=" + quoted(it)).orElse("");
        return """
        %s

            seed     %s
            faults   %s
            replay   mvn test -Dtest=%s -Dverbena.seed=%d%s
                     %sVERBENA_SEED=%d gradle test --tests '*%s.%s'
            packets  %s
        """
                .formatted(
                        message.stripTrailing(),
                        seed(run),
                        faults(plan),
                        quoted(test),
                        run.seed(),
                        device,
                        plan.properties()
                                .device()
                                .map(it -> "VERBENA_DEVICE=" + quoted(it) + " ")
                                .orElse(""),
                        run.seed(),
                        plan.testClass().replace('$', '*'),
                        plan.method(),
                        packets(run))
                .stripTrailing();
    }

    private static String seed(Run run) {
        Plan plan = run.plan();
        return plan.seeds() == 1
                ? Long.toString(run.seed())
                : "%d, number %d of %d"
                        .formatted(run.seed(), run.seed() - plan.firstSeed() + 1, plan.seeds());
    }

    private static String faults(Plan plan) {
        String asked = plan.faults().isEmpty() ? "none" : plan.faults();
        return DeviceUris.faultless(plan)
                .filter(schemes -> !plan.faults().isEmpty())
                .map(schemes -> "none, because " + schemes + " has none; asked for: " + asked)
                .orElse(asked);
    }

    private static String packets(Run run) {
        Optional<Path> file = run.pcap();
        if (file.isPresent()) {
            return "verbena decode " + quoted(file.get().toString());
        }
        return DeviceUris.faultless(run.plan())
                .map(schemes -> "not written by " + schemes)
                .orElse("add -Dverbena.pcap=target/pcap to keep them");
    }

    /// As a shell wants it.
    private static String quoted(String word) {
        return word.matches("[\\w.#/:=,-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
