package dev.verbena.conformance.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CycleRuleTest {
    private static final String ROOT = "transport/src/main/java/dev/verbena/";

    private static List<String> found(String a, String b, String c) {
        return new CycleRule()
                        .check(
                                SourceTree.of(
                                        Map.of(
                                                ROOT + "a/A.java", "package dev.verbena.a;\n" + a,
                                                ROOT + "b/B.java", "package dev.verbena.b;\n" + b,
                                                ROOT + "c/C.java", "package dev.verbena.c;\n" + c)))
                        .stream()
                        .map(Finding::toString)
                        .toList();
    }

    @Test
    void letsPackagesUseEachOtherInOneDirection() {
        assertThat(
                        found(
                                "import dev.verbena.b.B;\nimport dev.verbena.c.C;\nclass A {}",
                                "import dev.verbena.c.C;\nclass B {}",
                                "class C {}"))
                .isEmpty();
    }

    @Test
    void findsEveryStepOfACycleAlsoAcrossThreePackages() {
        assertThat(
                        found(
                                "import dev.verbena.b.B;\nclass A {}",
                                "class B { dev.verbena.c.C it; }",
                                "import static dev.verbena.a.A.one;\nclass C {}"))
                .hasSize(3)
                .first()
                .asString()
                .startsWith(ROOT + "a/A.java:2 cycle: dev.verbena.a uses dev.verbena.b");
    }

    @Test
    void takesNoLinkInACommentForAUse() {
        assertThat(
                        found(
                                "import dev.verbena.b.B;\nclass A {}",
                                "/// See [dev.verbena.a.A].\nclass B {}",
                                "class C {}"))
                .isEmpty();
    }
}
