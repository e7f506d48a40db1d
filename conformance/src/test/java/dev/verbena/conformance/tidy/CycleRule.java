package dev.verbena.conformance.tidy;

import com.sun.source.tree.ExpressionTree;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// `cycle`: packages use each other in one direction only, so that each can be read, tried and
/// changed without those above it.
final class CycleRule implements Rule {
    private static final String RULE = "cycle";

    /// A package of ours, in an import or in front of a type; comments are taken out before.
    private static final Pattern USE = Pattern.compile("\\bdev\\.verbena(?:\\.[a-z]\\w*)+");

    private static final Pattern COMMENT = Pattern.compile("//.*|(?s:/\\*.*?\\*/)");

    /// A provider implements what the API looks up; the two are one surface in two parts.
    private static final Set<String> ONE_SURFACE = Set.of("dev.verbena.verbs");

    @Override
    public List<Finding> check(SourceTree tree) {
        Map<String, Map<String, Finding>> uses = new TreeMap<>();
        for (JavaFile file : tree.java()) {
            ExpressionTree name = file.unit().getPackageName();
            if (file.source().isMain() && name != null) {
                addUses(file, name.toString(), uses);
            }
        }
        List<Finding> findings = new ArrayList<>();
        uses.forEach(
                (user, used) ->
                        used.forEach(
                                (target, finding) -> {
                                    if (reaches(uses, target, user)) {
                                        findings.add(finding);
                                    }
                                }));
        return findings;
    }

    private static void addUses(
            JavaFile file, String user, Map<String, Map<String, Finding>> uses) {
        Map<String, Finding> used = uses.computeIfAbsent(user, key -> new TreeMap<>());
        int line = 0;
        for (String text : COMMENT.matcher(file.source().text()).replaceAll("").split("\n", -1)) {
            line++;
            Matcher matcher = USE.matcher(text);
            while (matcher.find()) {
                String target = matcher.group();
                if (!target.equals(user) && !surfaceOf(target).equals(surfaceOf(user))) {
                    used.putIfAbsent(target, finding(file, line, user, target));
                }
            }
        }
    }

    private static String surfaceOf(String name) {
        return ONE_SURFACE.stream().filter(name::startsWith).findFirst().orElse(name);
    }

    private static Finding finding(JavaFile file, int line, String user, String target) {
        return Finding.inFile(
                file.path(),
                line,
                RULE,
                "%s uses %s, which uses it: let the lower one take an interface of its own"
                        .formatted(user, target));
    }

    private static boolean reaches(
            Map<String, Map<String, Finding>> uses, String from, String wanted) {
        Set<String> seen = new HashSet<>(Set.of(from));
        Deque<String> open = new ArrayDeque<>(seen);
        while (!open.isEmpty()) {
            String here = open.remove();
            if (here.equals(wanted)) {
                return true;
            }
            for (String next : uses.getOrDefault(here, Map.of()).keySet()) {
                if (seen.add(next)) {
                    open.add(next);
                }
            }
        }
        return false;
    }
}
