package dev.verbena.conformance;

import org.junit.jupiter.api.extension.ExtendWith;

/// The base of the tests of every subject: a provider supplies the world.
@ExtendWith(WorldParameter.class)
public interface Conformance {
    /// A new world; asked for by each test that takes one, and closed after it.
    World world();
}
