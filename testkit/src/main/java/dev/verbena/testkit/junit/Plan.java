package dev.verbena.testkit.junit;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;

/// The settings of a test method: the annotation, changed by the command line.
record Plan(String testClass, String method, RdmaTest test, Properties properties) {
    private static final int SEEDS_MAX = 1_000_000;
    private static final int HOSTS_MAX = 64;

    /// That of the annotation, unless it is set.
    private static final String DELAY = "1us";

    static Plan of(ExtensionContext context, RdmaTest test) {
        Plan plan =
                new Plan(
                        className(context.getRequiredTestClass()),
                        context.getRequiredTestMethod().getName(),
                        test,
                        Properties.of(context));
        plan.check();
        return plan;
    }

    /// As build tools name it: without its package, a nested one behind a dollar sign.
    private static String className(Class<?> type) {
        String name = type.getName();
        return name.substring(name.lastIndexOf('.') + 1);
    }

    private void check() {
        require("seeds", seeds(), SEEDS_MAX, 1);
        require("hosts", test.hosts(), HOSTS_MAX, 2);
        require("memory", test.memory(), Long.MAX_VALUE, 0);
        for (Fault fault : Fault.values()) {
            double value = fault.of(test);
            if (!(value >= 0 && value <= 1)) {
                throw wrong("%s = %s".formatted(fault.title(), value), "0 to 1");
            }
        }
        if (!test.fabric().isEmpty()) {
            checkFabric();
        }
    }

    /// What a fabric does not have is refused, not left out.
    private void checkFabric() {
        if (!test.fabric().matches("[^=&]+=[^=&]+(&[^=&]+=[^=&]+)*")) {
            throw wrong("fabric = " + test.fabric(), "parameters such as kind=ib&radix=8");
        }
        String other = faults();
        if (other.isEmpty() && test.pcap()) {
            other = "pcap";
        }
        if (other.isEmpty() && !test.delay().equals(DELAY)) {
            other = "delay " + test.delay();
        }
        if (!other.isEmpty()) {
            throw wrong(
                    "a fabric and " + other,
                    "one of them: links and switches have times of their own, and no such faults");
        }
    }

    private void require(String what, long value, long most, long least) {
        if (value < least || value > most) {
            throw wrong(what + " = " + value, least + " to " + most);
        }
    }

    private ExtensionConfigurationException wrong(String what, String range) {
        return new ExtensionConfigurationException(
                "@RdmaTest of %s.%s has %s: use %s".formatted(testClass, method, what, range));
    }

    long firstSeed() {
        return properties.seed().orElse(test.seed());
    }

    int seeds() {
        return properties.seed().isPresent() ? 1 : properties.seeds().orElse(test.seeds());
    }

    List<String> hostNames() {
        if (test.hosts() == 2) {
            return List.of("left", "right");
        }
        List<String> names = new ArrayList<>();
        for (int i = 0; i < test.hosts(); i++) {
            names.add("host" + i);
        }
        return names;
    }

    /// The faults that are asked for, in words; empty when none are.
    String faults() {
        List<String> asked = new ArrayList<>();
        for (Fault fault : Fault.values()) {
            if (fault.of(test) > 0) {
                asked.add(fault.title() + " " + fault.of(test));
            }
        }
        return String.join(", ", asked);
    }

    /// The file for the packets of a seed, when they are wanted.
    Optional<Path> pcap(long seed) {
        Optional<Path> directory = properties.pcap().map(Path::of);
        if (directory.isEmpty() && test.pcap()) {
            directory = Optional.of(outputs());
        }
        if (DeviceUris.faultless(this).isPresent()) {
            // Other networks have captures of their own.
            return Optional.empty();
        }
        return directory.map(it -> it.resolve(testClass + "." + method + "-" + seed + ".pcapng"));
    }

    /// The directory in which the build tool stores its output.
    private static Path outputs() {
        boolean gradle =
                Files.exists(Path.of("build.gradle")) || Files.exists(Path.of("build.gradle.kts"));
        return Path.of(gradle ? "build" : "target", "verbena");
    }

    /// The kinds of faults, each with its name in the annotation and in URIs.
    enum Fault {
        LOSS("loss"),
        DUPLICATE("duplicate"),
        REORDER("reorder"),
        CORRUPT("corrupt");

        private final String title;

        Fault(String title) {
            this.title = title;
        }

        String title() {
            return title;
        }

        double of(RdmaTest test) {
            return switch (this) {
                case LOSS -> test.loss();
                case DUPLICATE -> test.duplicate();
                case REORDER -> test.reorder();
                case CORRUPT -> test.corrupt();
            };
        }
    }
}
