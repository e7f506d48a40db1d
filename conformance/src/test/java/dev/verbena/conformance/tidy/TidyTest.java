package dev.verbena.conformance.tidy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class TidyTest {

    @Test
    void findsNothingToTidyInTheWholeTree() throws IOException {
        SourceTree tree = SourceTree.read(SourceTree.root());
        assertThat(tree.holds("conformance/src/main/java/module-info.java")).isTrue();

        List<Finding> findings = Tidy.check(tree);

        if (!findings.isEmpty()) {
            fail(
                    findings.size()
                            + " to tidy:\n"
                            + findings.stream()
                                    .map(Finding::toString)
                                    .collect(Collectors.joining("\n")));
        }
    }
}
