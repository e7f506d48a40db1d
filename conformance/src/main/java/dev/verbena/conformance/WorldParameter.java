package dev.verbena.conformance;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/// Gives each test a world of its own, which the test's store closes when the test is over.
public final class WorldParameter implements ParameterResolver {
    private static final Namespace WORLDS = Namespace.create(WorldParameter.class);

    /// Made by JUnit.
    public WorldParameter() {}

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
        return parameter.getParameter().getType() == World.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
        Conformance suite = (Conformance) test.getRequiredTestInstance();
        return test.getStore(WORLDS).computeIfAbsent(World.class, key -> suite.world());
    }
}
