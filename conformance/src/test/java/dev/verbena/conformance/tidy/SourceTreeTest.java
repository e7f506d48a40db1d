package dev.verbena.conformance.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SourceTreeTest {

    @Test
    void readsWhatGitWouldTrack(@TempDir Path root) throws IOException {
        write(root, ".gitignore", "target/\n*.iml\n");
        write(root, ".ci/run", "#!/bin/sh\n");
        write(root, ".git/config", "");
        write(root, ".idea/a.xml", "");
        write(root, "wire/a.iml", "");
        write(root, "wire/target/A.java", "");
        write(root, "wire/src/main/java/A.java", "class A {}");
        write(root, "docs/node_modules/a.md", "");
        write(root, "docs/a.bin", "a\0b");

        SourceTree tree = SourceTree.read(root);

        assertThat(tree.files().stream().map(SourceFile::path))
                .containsExactly(
                        ".ci/run", ".gitignore", "docs/a.bin", "wire/src/main/java/A.java");
        assertThat(tree.textFiles()).hasSize(3);
        assertThat(tree.java()).hasSize(1);
        assertThat(tree.holds("wire/src")).isTrue();
        assertThat(tree.holds("wire/sr")).isFalse();
    }

    private static void write(Path root, String path, String text) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
