package dev.verbena.conformance.tidy;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.Tree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// What the names in one file may mean, from its imports alone.
///
/// Without types this is an estimate, on the safe side of one: explicit imports first, then types
/// of the same package, then everything that a star or `java.lang` could bring.
final class Names {
    private final Map<String, String> explicit = new HashMap<>();
    private final List<String> stars = new ArrayList<>(List.of("java.lang"));
    private final Set<String> own = new HashSet<>();

    Names(JavaFile file, Set<String> typesOfPackage) {
        own.addAll(typesOfPackage);
        for (Tree type : file.unit().getTypeDecls()) {
            declare(type);
        }
        for (ImportTree line : file.unit().getImports()) {
            String name = importedName(line);
            int dot = name.lastIndexOf('.');
            if (line.isModule()) {
                stars.addAll(Forbidden.packages());
            } else if (name.endsWith(".*")) {
                addStar(name.substring(0, dot));
            } else {
                explicit.put(name.substring(dot + 1), name);
            }
        }
    }

    /// A package that is forbidden as a whole was judged at its import, and would otherwise claim
    /// every name in the file.
    private void addStar(String packageName) {
        if (!Forbidden.coversAllOf(packageName)) {
            stars.add(packageName);
        }
    }

    private void declare(Tree tree) {
        if (tree instanceof ClassTree type) {
            own.add(type.getSimpleName().toString());
            type.getMembers().forEach(this::declare);
        }
    }

    static String importedName(ImportTree line) {
        return line.getQualifiedIdentifier().toString();
    }

    /// Whether the file imports this name by itself, in which case the import was judged already.
    boolean imports(String name) {
        return explicit.containsValue(name);
    }

    /// The full names that a dotted name may stand for.
    List<String> meanings(String dotted) {
        int dot = dotted.indexOf('.');
        String head = dot < 0 ? dotted : dotted.substring(0, dot);
        String imported = explicit.get(head);
        if (imported != null) {
            return List.of(imported + dotted.substring(head.length()));
        }
        if (own.contains(head)) {
            return List.of();
        }
        List<String> meanings = new ArrayList<>();
        meanings.add(dotted);
        stars.forEach(star -> meanings.add(star + "." + dotted));
        return List.copyOf(meanings);
    }

    /// `a.b.c` of a chain of plain names; nothing of any other expression.
    static Optional<String> dotted(ExpressionTree tree) {
        if (tree instanceof IdentifierTree name) {
            return Optional.of(name.getName().toString());
        }
        if (tree instanceof MemberSelectTree member) {
            return dotted(member.getExpression()).map(left -> left + "." + member.getIdentifier());
        }
        return Optional.empty();
    }
}
