package dev.verbena.fabric;

/// Spraying: the ports in turn, from a place of its own.
final class SprayChooser extends RouteChooser {
    private int turn;

    SprayChooser(int salt) {
        turn = salt & 0xFFFF;
    }

    @Override
    boolean isSteady() {
        return false;
    }

    @Override
    int choose(long tag, short[] ports) {
        turn = turn + 1 >= 0 ? turn + 1 : 0;
        return ports[turn % ports.length];
    }
}
