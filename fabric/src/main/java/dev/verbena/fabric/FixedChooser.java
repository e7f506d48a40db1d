package dev.verbena.fabric;

/// By the destination alone. Where the port for it is not among those that are left, another one
/// takes its place.
final class FixedChooser extends RouteChooser {
    private final SwitchPlace place;

    FixedChooser(SwitchPlace place) {
        this.place = place;
    }

    @Override
    int choose(long tag, short[] ports) {
        return among(ports, place.fixedPort(Tag.destination(tag)), Tag.destination(tag));
    }

    static int among(short[] ports, int usual, int host) {
        for (short port : ports) {
            if (port == usual) {
                return usual;
            }
        }
        return ports[host % ports.length];
    }
}
