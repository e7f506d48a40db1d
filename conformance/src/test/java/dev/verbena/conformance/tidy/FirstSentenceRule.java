package dev.verbena.conformance.tidy;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.lang.model.element.Modifier;

/// `first-sentence`: every public type says in a sentence what it is.
final class FirstSentenceRule implements Rule {
    private static final String RULE = "first-sentence";
    private static final Pattern PARAGRAPH_END = Pattern.compile("\\n\\s*(\\n|@|<p>)|^@");
    private static final Pattern SENTENCE = Pattern.compile(".*[.:?]", Pattern.DOTALL);

    @Override
    public List<Finding> check(SourceTree tree) {
        List<Finding> findings = new ArrayList<>();
        for (JavaFile file : tree.java()) {
            if (file.source().isMain()) {
                types(file, findings);
            }
        }
        return findings;
    }

    private static void types(JavaFile file, List<Finding> findings) {
        new TreePathScanner<Void, List<Finding>>() {
            @Override
            public Void visitClass(ClassTree type, List<Finding> found) {
                if (isPublic(getCurrentPath())) {
                    complaint(file.doc(getCurrentPath()))
                            .map(text -> type.getSimpleName() + " " + text)
                            .map(message -> file.finding(getCurrentPath(), RULE, message))
                            .ifPresent(found::add);
                }
                return super.visitClass(type, found);
            }
        }.scan(file.unit(), findings);
    }

    /// Public by its own word, or as a member of a public interface, where the word is implied.
    private static boolean isPublic(TreePath type) {
        if (!(type.getLeaf() instanceof ClassTree tree)) {
            return false;
        }
        if (tree.getModifiers().getFlags().contains(Modifier.PUBLIC)) {
            return true;
        }
        Tree around = type.getParentPath().getLeaf();
        boolean inInterface =
                around.getKind() == Tree.Kind.INTERFACE
                        || around.getKind() == Tree.Kind.ANNOTATION_TYPE;
        return inInterface && isPublic(type.getParentPath());
    }

    /// What is wrong with a documentation comment, if anything.
    static Optional<String> complaint(Optional<String> doc) {
        if (doc.isEmpty()) {
            return Optional.of("has no doc comment: say in one sentence what it is");
        }
        String first = PARAGRAPH_END.split(doc.get(), 2)[0].strip();
        return SENTENCE.matcher(first).matches()
                ? Optional.empty()
                : Optional.of("does not begin with a sentence: end the first paragraph with a dot");
    }
}
