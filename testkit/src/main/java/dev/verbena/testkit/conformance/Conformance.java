package dev.verbena.testkit.conformance;

import org.junit.jupiter.api.extension.ExtendWith;

/// What the tests of every subject stand on: a provider's way to make a world.
@ExtendWith(WorldParameter.class)
public interface Conformance {
    /// A new world; asked for by each test that takes one, and closed after it.
    World world();
}
