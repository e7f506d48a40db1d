package dev.verbena.conformance.tidy;

import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.TreePathScanner;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// `sans-io`: the protocol modules read no clock, open no socket or file, start no thread, draw no
/// random number of their own; and no test of any module is random without a seed, or sleeps.
final class SansIoRule implements Rule {
    private static final String RULE = "sans-io";
    private static final Set<String> MODULES =
            Set.of(
                    "wire",
                    "verbs",
                    "transport",
                    "virtual",
                    "subnet",
                    "fabric",
                    "plan",
                    "collectives");
    private static final Set<Forbidden> IN_MAIN = EnumSet.complementOf(EnumSet.of(Forbidden.SLEEP));
    private static final Set<Forbidden> IN_TESTS = EnumSet.of(Forbidden.RANDOM, Forbidden.SLEEP);

    // Modules that are test code as a whole, and the one class that may let real time pass.
    private static final Set<String> TEST_MODULES = Set.of("testkit", "conformance");
    private static final String WAIT = "testkit/src/main/java/dev/verbena/testkit/Wait.java";

    private static final Set<String> SEEDABLE =
            Set.of("java.util.Random", "java.util.SplittableRandom");

    // TimeUnit.SECONDS.sleep: the constant between type and method does not matter.
    private static final Pattern UNIT = Pattern.compile("TimeUnit\\.[A-Z]+\\.");

    @Override
    public List<Finding> check(SourceTree tree) {
        Map<String, Set<String>> typesOfPackage = new HashMap<>();
        for (JavaFile file : tree.java()) {
            String name = file.source().name();
            typesOfPackage
                    .computeIfAbsent(packageOf(file), key -> new HashSet<>())
                    .add(name.substring(0, name.length() - ".java".length()));
        }
        Set<Finding> findings = new LinkedHashSet<>();
        for (JavaFile file : tree.java()) {
            Set<Forbidden> kinds = forbiddenIn(file.source());
            if (!kinds.isEmpty()) {
                Names names =
                        new Names(file, typesOfPackage.getOrDefault(packageOf(file), Set.of()));
                List<Finding> found = new ArrayList<>();
                new Scanner(file, names, kinds).scan(file.unit(), found);
                findings.addAll(found);
            }
        }
        return List.copyOf(findings);
    }

    private static Set<Forbidden> forbiddenIn(SourceFile file) {
        if (file.isTest()) {
            return IN_TESTS;
        }
        if (file.isMain() && TEST_MODULES.contains(file.module())) {
            return file.path().equals(WAIT) ? Set.of() : EnumSet.of(Forbidden.SLEEP);
        }
        return file.isMain() && MODULES.contains(file.module()) ? IN_MAIN : Set.of();
    }

    private static String packageOf(JavaFile file) {
        ExpressionTree name = file.unit().getPackageName();
        return name == null ? "" : name.toString();
    }

    private static final class Scanner extends TreePathScanner<Void, List<Finding>> {
        private final JavaFile file;
        private final Names names;
        private final Set<Forbidden> kinds;

        Scanner(JavaFile file, Names names, Set<Forbidden> kinds) {
            this.file = file;
            this.names = names;
            this.kinds = kinds;
        }

        @Override
        public Void visitImport(ImportTree line, List<Finding> found) {
            String name = Names.importedName(line);
            boolean star = name.endsWith(".*");
            boolean wholePackage = star && !line.isStatic();
            String target = star ? name.substring(0, name.length() - 2) : name;
            if (line.isModule() && kinds.contains(Forbidden.SOCKET)) {
                found.add(
                        file.finding(
                                getCurrentPath(),
                                RULE,
                                "import module hides which names are used: import them by name"));
            }
            for (Forbidden kind : kinds) {
                if (wholePackage ? kind.coversPackage(target) : kind.covers(target)) {
                    report(found, name, kind);
                }
            }
            return null;
        }

        @Override
        public Void visitIdentifier(IdentifierTree name, List<Finding> found) {
            judge(name.getName().toString(), found);
            return super.visitIdentifier(name, found);
        }

        @Override
        public Void visitMemberSelect(MemberSelectTree member, List<Finding> found) {
            var dotted = Names.dotted(member);
            if (dotted.isEmpty()) {
                return super.visitMemberSelect(member, found);
            }
            judge(dotted.get(), found);
            return null;
        }

        @Override
        public Void visitMemberReference(MemberReferenceTree reference, List<Finding> found) {
            Names.dotted(reference.getQualifierExpression())
                    .ifPresent(left -> judge(left + "." + reference.getName(), found));
            return super.visitMemberReference(reference, found);
        }

        @Override
        public Void visitNewClass(NewClassTree made, List<Finding> found) {
            if (made.getArguments().isEmpty() && mayBeSeedable(made.getIdentifier())) {
                report(found, "new " + made.getIdentifier() + "()", Forbidden.RANDOM);
            }
            return super.visitNewClass(made, found);
        }

        /// Calls that are judged by their name and arguments rather than by the type alone.
        @Override
        public Void visitMethodInvocation(MethodInvocationTree call, List<Finding> found) {
            String method = call.getMethodSelect().toString();
            String last = method.substring(method.lastIndexOf('.') + 1);
            boolean threads = kinds.contains(Forbidden.THREAD);
            if (threads && (last.equals("parallelStream") || isAsyncStage(last))) {
                report(found, last, Forbidden.THREAD);
            }
            if (call.getArguments().size() == 1
                    && meansAny(method, Set.of("java.util.Collections.shuffle"))) {
                report(found, "shuffle without a generator", Forbidden.RANDOM);
            }
            return super.visitMethodInvocation(call, found);
        }

        private boolean isAsyncStage(String method) {
            return method.endsWith("Async")
                    && (names.imports("java.util.concurrent.CompletableFuture")
                            || names.imports("java.util.concurrent.CompletionStage"));
        }

        private boolean mayBeSeedable(Tree type) {
            return type instanceof ExpressionTree name
                    && Names.dotted(name).filter(dotted -> meansAny(dotted, SEEDABLE)).isPresent();
        }

        private boolean meansAny(String dotted, Set<String> wanted) {
            return names.meanings(dotted).stream().anyMatch(wanted::contains);
        }

        private void judge(String dotted, List<Finding> found) {
            for (String meaning : names.meanings(dotted)) {
                String name = UNIT.matcher(meaning).replaceFirst("TimeUnit.");
                for (Forbidden kind : kinds) {
                    if (kind.covers(name) && !names.imports(meaning)) {
                        report(found, dotted, kind);
                    }
                }
            }
        }

        private void report(List<Finding> found, String what, Forbidden kind) {
            found.add(file.finding(getCurrentPath(), RULE, what + " " + kind.advice()));
        }
    }
}
