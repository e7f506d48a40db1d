package dev.verbena.conformance.tidy;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.util.TreePathScanner;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// `native-access`: restricted methods are called from one class per module, and from none in the
/// modules that are plain computation.
final class NativeAccessRule implements Rule {
    private static final String RULE = "native-access";
    private static final Set<String> NONE =
            Set.of("wire", "verbs", "transport", "virtual", "testkit", "conformance");

    @Override
    public List<Finding> check(SourceTree tree) {
        List<Finding> findings = new ArrayList<>();
        Map<String, String> firstOfModule = new HashMap<>();
        for (JavaFile file : tree.java()) {
            String module = file.source().module();
            List<Finding> found = suppressions(file, advice(module, firstOfModule));
            if (!found.isEmpty()
                    && (NONE.contains(module)
                            || firstOfModule.putIfAbsent(module, file.path()) != null)) {
                findings.addAll(found);
            }
        }
        return findings;
    }

    private static String advice(String module, Map<String, String> firstOfModule) {
        return NONE.contains(module)
                ? "the module " + module + " calls nothing native: bind it in a provider"
                : "only "
                        + firstOfModule.getOrDefault(module, "one class")
                        + " may call restricted methods here: move the binding there";
    }

    private static List<Finding> suppressions(JavaFile file, String advice) {
        List<Finding> found = new ArrayList<>();
        new TreePathScanner<Void, Boolean>() {
            @Override
            public Void visitAnnotation(AnnotationTree annotation, Boolean inside) {
                String type = annotation.getAnnotationType().toString();
                return super.visitAnnotation(
                        annotation,
                        type.equals("SuppressWarnings")
                                || type.equals("java.lang.SuppressWarnings"));
            }

            @Override
            public Void visitLiteral(LiteralTree literal, Boolean inside) {
                if (inside && "restricted".equals(literal.getValue())) {
                    found.add(file.finding(getCurrentPath(), RULE, advice));
                }
                return super.visitLiteral(literal, inside);
            }
        }.scan(file.unit(), false);
        return found;
    }
}
