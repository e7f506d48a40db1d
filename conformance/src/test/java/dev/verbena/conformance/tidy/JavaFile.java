package dev.verbena.conformance.tidy;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/// A Java file as javac's parser sees it: syntax and comments, no types.
record JavaFile(SourceFile source, CompilationUnitTree unit, DocTrees trees) {

    static List<JavaFile> parse(List<SourceFile> sources) {
        if (sources.isEmpty()) {
            return List.of(); // javac refuses to start without a file
        }
        Map<URI, SourceFile> byUri = new HashMap<>();
        List<InMemory> inputs = new ArrayList<>();
        for (SourceFile source : sources) {
            InMemory input = new InMemory(source);
            byUri.put(input.toUri(), source);
            inputs.add(input);
        }
        // What does not parse is the compiler's to report, so diagnostics are dropped here.
        JavacTask task =
                (JavacTask)
                        ToolProvider.getSystemJavaCompiler()
                                .getTask(
                                        null,
                                        null,
                                        diagnostic -> {},
                                        List.of("-proc:none"),
                                        null,
                                        inputs);
        DocTrees trees = DocTrees.instance(task);
        List<JavaFile> files = new ArrayList<>();
        try {
            for (CompilationUnitTree unit : task.parse()) {
                SourceFile source = byUri.get(unit.getSourceFile().toUri());
                if (source != null) {
                    files.add(new JavaFile(source, unit, trees));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return List.copyOf(files);
    }

    String path() {
        return source.path();
    }

    int line(Tree tree) {
        return lineAt(trees.getSourcePositions().getStartPosition(unit, tree));
    }

    int lastLine(Tree tree) {
        return lineAt(trees.getSourcePositions().getEndPosition(unit, tree));
    }

    /// The text of the documentation comment on the declaration, in either form, if there is one.
    Optional<String> doc(TreePath declaration) {
        return Optional.ofNullable(trees.getDocComment(declaration)).map(String::strip);
    }

    /// A finding at `at`, which knows the method around it.
    Finding finding(TreePath at, String rule, String message) {
        String method = "";
        for (Tree tree : at) {
            if (method.isEmpty() && tree instanceof MethodTree around) {
                method = around.getName().toString();
            }
        }
        return new Finding(path(), line(at.getLeaf()), rule, method, message);
    }

    private int lineAt(long position) {
        return (int) unit.getLineMap().getLineNumber(Math.max(0, position));
    }

    private static final class InMemory extends SimpleJavaFileObject {
        private final String text;

        InMemory(SourceFile source) {
            super(uri(source.path()), JavaFileObject.Kind.SOURCE);
            this.text = source.text();
        }

        private static URI uri(String path) {
            try {
                return new URI("tidy", null, "/" + path, null);
            } catch (URISyntaxException e) {
                throw new IllegalArgumentException("not a path: " + path, e);
            }
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
