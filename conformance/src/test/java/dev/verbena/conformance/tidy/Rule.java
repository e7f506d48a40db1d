package dev.verbena.conformance.tidy;

import java.util.List;

/// A house rule: looks at a source tree and says where it is broken.
@FunctionalInterface
interface Rule {
    List<Finding> check(SourceTree tree);
}
