package dev.verbena.lint;

/// The shape of an InfiniBand subnet, as far as routing engines differ on it.
public enum SubnetShape {
    /// A fat tree: the shortest path goes up and then down.
    TREE,
    /// A torus or mesh.
    TORUS,
    /// Any other shape.
    OTHER
}
