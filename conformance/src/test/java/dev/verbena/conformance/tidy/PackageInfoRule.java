package dev.verbena.conformance.tidy;

import com.sun.source.tree.Tree;
import com.sun.source.util.TreePath;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// `package-info`: every package and every module of the main sources introduces itself.
final class PackageInfoRule implements Rule {
    private static final String RULE = "package-info";
    private static final String ROOT = "/src/main/java";
    // Built from many modules and exporting nothing; or projects of others, as they would be.
    // Or with libraries that split packages, as Ratis does.
    private static final Set<String> WITHOUT_MODULE =
            Set.of("benchmarks", "interop", "examples", "manager");

    @Override
    public List<Finding> check(SourceTree tree) {
        Map<String, JavaFile> parsed = new TreeMap<>();
        Set<String> wanted = new TreeSet<>();
        for (JavaFile file : tree.java()) {
            parsed.put(file.path(), file);
            SourceFile source = file.source();
            if (source.isMain()) {
                if (!source.directory().endsWith(ROOT)) {
                    wanted.add(source.directory() + "/package-info.java");
                }
                if (!isWithoutModule(source.module())) {
                    wanted.add(source.module() + ROOT + "/module-info.java");
                }
            }
        }
        List<Finding> findings = new ArrayList<>();
        for (String path : wanted) {
            complaint(Optional.ofNullable(parsed.get(path)))
                    .map(message -> Finding.inFile(path, 1, RULE, message))
                    .ifPresent(findings::add);
        }
        return findings;
    }

    private static boolean isWithoutModule(String module) {
        return WITHOUT_MODULE.stream()
                .anyMatch(name -> module.equals(name) || module.startsWith(name + "/"));
    }

    private static Optional<String> complaint(Optional<JavaFile> file) {
        if (file.isEmpty()) {
            return Optional.of("is missing: add it, with a sentence on what is here");
        }
        Tree module = file.get().unit().getModule();
        Tree declaration = module == null ? file.get().unit().getPackage() : module;
        return declaration == null
                ? Optional.of("declares nothing: name the package or module")
                : FirstSentenceRule.complaint(
                        file.get().doc(TreePath.getPath(file.get().unit(), declaration)));
    }
}
