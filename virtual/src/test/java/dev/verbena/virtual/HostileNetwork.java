package dev.verbena.virtual;

/// What campaigns of connection management go through.
final class HostileNetwork {
    private HostileNetwork() {}

    /// A fifth of all packets lost or late, a tenth doubled.
    static VirtualNetwork of(long seed) {
        return new VirtualNetwork(
                VirtualSettings.DEFAULT
                        .withSeed(seed)
                        .withLoss(0.2)
                        .withDuplicate(0.1)
                        .withReorder(0.2));
    }
}
