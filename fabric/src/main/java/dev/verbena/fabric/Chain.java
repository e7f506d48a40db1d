package dev.verbena.fabric;

/// Switches in a row, each with hosts of its own: where distance is the question.
///
/// ```text
///   hosts    hosts    hosts
///     │        │        │
///   switch 0 ─ switch 1 ─ switch 2
/// ```
///
/// A switch's last port but one leads to the switch before it, its last port to the next one.
///
/// @param hosts all hosts; no switch has more than one host more than another
public record Chain(int switches, int hosts) {
    public Chain {
        if (switches < 1 || hosts < 2) {
            throw new IllegalArgumentException(
                    "a chain of %d switches with %d hosts: use 1 switch and 2 hosts or more"
                            .formatted(switches, hosts));
        }
    }

    public Topology topology() {
        Wiring wiring = new Wiring("chain");
        int most = Math.ceilDiv(hosts, switches);
        int next = 0;
        for (int i = 0; i < switches; i++) {
            wiring.addSwitch("switch " + i, most + 2);
            int end = (int) ((i + 1L) * hosts / switches);
            for (int port = 0; next < end; port++) {
                wiring.addHost("host " + next++, i, port);
            }
        }
        for (int i = 0; i + 1 < switches; i++) {
            wiring.join(i, most + 1, i + 1, most);
        }
        return wiring.topology();
    }
}
