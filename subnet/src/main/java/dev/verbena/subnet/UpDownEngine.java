package dev.verbena.subnet;

import java.util.List;

/// Routes that go up and then down, and never up again, so that packets never wait for each other
/// in a circle. Among these, a switch takes the shortest one that only goes down, or if there is
/// none the shortest one.
///
/// What is up follows from the distance to the roots. Without roots it follows from the distance to
/// the next host, and where that leaves pairs of hosts without a route, from the distance to one
/// switch in the middle; so every connected fabric is accepted.
///
/// @param roots node GUIDs of the topmost switches; empty: they are found
public record UpDownEngine(List<Long> roots) implements RoutingEngine {
    public UpDownEngine {
        roots = List.copyOf(roots);
    }

    public UpDownEngine() {
        this(List.of());
    }

    @Override
    public String name() {
        return "up-down";
    }
}
