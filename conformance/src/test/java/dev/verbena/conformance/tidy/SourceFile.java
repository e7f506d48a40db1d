package dev.verbena.conformance.tidy;

import java.util.List;

/// A file of the tree: its path from the root, with `/`, and its text, which is empty if binary.
record SourceFile(String path, String text, boolean binary) {
    private static final String MAIN = "/src/main/java/";
    private static final String TEST = "/src/test/java/";

    boolean isJava() {
        return path.endsWith(".java");
    }

    boolean isMarkdown() {
        return path.endsWith(".md");
    }

    boolean isMain() {
        return isJava() && path.contains(MAIN);
    }

    boolean isTest() {
        return isJava() && path.contains(TEST);
    }

    /// The directory of the Maven module this belongs to: what stands before `/src/`, or empty.
    String module() {
        int end = path.indexOf("/src/");
        return end < 0 ? "" : path.substring(0, end);
    }

    /// The directory that holds this file; empty at the root.
    String directory() {
        return path.substring(0, Math.max(0, path.lastIndexOf('/')));
    }

    String name() {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    List<String> lines() {
        return text.lines().toList();
    }
}
