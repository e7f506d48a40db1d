package dev.verbena.fabric;

/// Switches in a row, each with hosts of its own: where distance is the question.
///
/// ```text
///   hosts    hosts    hosts
///     │        │        │
///   switch 0 ─ switch 1 ─ switch 2      the way down is the last port but one, the way up the last
/// ```
public record Chain(int switches, int hostsPerSwitch) {
    public Chain {
        if (switches < 1 || hostsPerSwitch < 1) {
            throw new IllegalArgumentException(
                    "a chain of %d switches with %d hosts each"
                            .formatted(switches, hostsPerSwitch));
        }
    }

    public Topology topology() {
        Wiring wiring = new Wiring("chain");
        for (int i = 0; i < switches; i++) {
            wiring.addSwitch("switch " + i, hostsPerSwitch + 2);
            for (int h = 0; h < hostsPerSwitch; h++) {
                wiring.addHost("host " + (i * hostsPerSwitch + h), i, h);
            }
        }
        for (int i = 0; i + 1 < switches; i++) {
            wiring.join(i, hostsPerSwitch + 1, i + 1, hostsPerSwitch);
        }
        return wiring.topology();
    }
}
