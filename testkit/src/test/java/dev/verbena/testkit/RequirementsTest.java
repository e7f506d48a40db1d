package dev.verbena.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Requires;
import java.lang.module.ModuleFinder;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// What a program's tests get together with `@RdmaTest`, as the compiled module says it.
class RequirementsTest {

    @Test
    void needsTheApiAndThatOfJUnitAndNothingElse() throws URISyntaxException {
        assertThat(namesOf(testkit().requires()))
                .containsExactlyInAnyOrder(
                        "java.base", "dev.verbena.verbs", "org.junit.jupiter.api", "org.jspecify");
    }

    @Test
    void needsNullAnnotationsToCompileOnly() throws URISyntaxException {
        assertThat(testkit().requires())
                .filteredOn(each -> each.modifiers().contains(Requires.Modifier.STATIC))
                .extracting(Requires::name)
                .containsExactly("org.jspecify");
    }

    private static Set<String> namesOf(Set<Requires> requires) {
        return requires.stream().map(Requires::name).collect(Collectors.toSet());
    }

    private static ModuleDescriptor testkit() throws URISyntaxException {
        Path classes =
                Path.of(Seed.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        return ModuleFinder.of(classes).find("dev.verbena.testkit").orElseThrow().descriptor();
    }
}
