package dev.verbena.conformance.planted;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// The module under proof: where its sources and its compiled tests are, and what they need.
///
/// `classPath` is everything but the module's own classes; `properties` go to the tests' JVM.
public record PlantedModule(
        Path mainSources, Path testClasses, List<Path> classPath, Map<String, String> properties) {

    private static final List<String> PASSED_ON = List.of("verbena.root", "seed", "campaign");

    public PlantedModule {
        classPath = List.copyOf(classPath);
        properties = Map.copyOf(properties);
    }

    /// The Maven module whose tests are running now, by its directory: `wire`. What this JVM can
    /// load, on class path and module path, the planted one can load too.
    public static PlantedModule running(String module) {
        String root = System.getProperty("verbena.root", "");
        if (root.isEmpty()) {
            throw new PlantedException("set the property verbena.root to the root of the checkout");
        }
        Path home = normal(Path.of(root).resolve(module));
        List<Path> classPath = new ArrayList<>(loadable());
        Path resources = home.resolve("src/main/resources");
        if (Files.isDirectory(resources)) {
            classPath.add(resources);
        }
        // The true classes must not stand in for a planted one that is missing.
        classPath.remove(home.resolve("target/classes"));
        classPath.remove(home.resolve("target/test-classes"));
        return new PlantedModule(
                home.resolve("src/main/java"),
                home.resolve("target/test-classes"),
                classPath,
                passedOn());
    }

    /// The same tests with bugs in another module, whose code they run: `verbs`.
    public PlantedModule plantedIn(String other) {
        Path root = mainSources.resolve("../../../..").normalize();
        List<Path> changed = new ArrayList<>(classPath);
        changed.add(testClasses.resolveSibling("classes"));
        changed.remove(root.resolve(other).resolve("target/classes"));
        return new PlantedModule(
                root.resolve(other).resolve("src/main/java"), testClasses, changed, properties);
    }

    /// The same with tests of this tag alone, and a campaign of this size for them.
    public PlantedModule only(String tag, String campaign) {
        Map<String, String> changed = new LinkedHashMap<>(properties);
        changed.put(TestRunner.ONLY, tag);
        changed.put("campaign", campaign);
        return new PlantedModule(mainSources, testClasses, classPath, changed);
    }

    /// What the running JVM loads from, in its order.
    static Set<Path> loadable() {
        Set<Path> entries = new LinkedHashSet<>();
        for (String property : List.of("java.class.path", "jdk.module.path")) {
            Pattern.compile(File.pathSeparator, Pattern.LITERAL)
                    .splitAsStream(System.getProperty(property, ""))
                    .filter(entry -> !entry.isEmpty())
                    .forEach(entry -> entries.add(normal(Path.of(entry))));
        }
        return entries;
    }

    private static Path normal(Path path) {
        return path.toAbsolutePath().normalize();
    }

    private static Map<String, String> passedOn() {
        Map<String, String> properties = new LinkedHashMap<>();
        for (String name : PASSED_ON) {
            String value = System.getProperty(name, "");
            if (!value.isEmpty()) {
                properties.put(name, value);
            }
        }
        return properties;
    }
}
