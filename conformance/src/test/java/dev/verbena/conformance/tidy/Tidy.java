package dev.verbena.conformance.tidy;

import java.util.ArrayList;
import java.util.List;

/// All rules over one tree, less the named exceptions.
final class Tidy {
    static final List<Rule> RULES =
            List.of(
                    new IndexRule(),
                    new LengthRule(),
                    new SansIoRule(),
                    new NativeAccessRule(),
                    new MachinePathRule(),
                    new FirstSentenceRule(),
                    new PackageInfoRule(),
                    new CycleRule(),
                    new LeftoverRule(),
                    new PlainWordsRule(),
                    new MarkdownRule(),
                    new CoverageRule(),
                    new DependencyRule(),
                    new VersionRule());

    private Tidy() {}

    static List<Finding> check(SourceTree tree) {
        List<Finding> findings = new ArrayList<>();
        RULES.forEach(rule -> findings.addAll(rule.check(tree)));
        return Exceptions.of(tree).applyTo(findings);
    }
}
