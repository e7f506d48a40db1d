package dev.verbena.subnet;

/// Shortest routes, with the pairs of switches put into virtual lanes so that in no lane packets
/// can wait for each other in a circle. It is for tori and other fabrics whose shortest routes have
/// such circles.
///
/// Of neighbours that are equally near, the one at the lowest port is next: on a torus whose cables
/// are at the same ports everywhere these are routes by dimension, which need few lanes. Parallel
/// cables share the LIDs. Packets say their lane by their service level, which paths of subnet
/// administration name; it is the same both ways. A fabric that would need more lanes than its
/// links have is refused.
public record LayeredEngine() implements RoutingEngine {
    @Override
    public String name() {
        return "layered";
    }
}
