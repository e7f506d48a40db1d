package dev.verbena.fabric;

/// Which of several equal ports a packet takes.
abstract class RouteChooser {
    abstract int choose(long tag, short[] ports);

    /// Whether packets that are alike take the same port.
    boolean isSteady() {
        return true;
    }

    static RouteChooser of(FabricKind.Spread kind, int salt, SwitchPlace place) {
        return switch (kind) {
            case ECMP -> new Ecmp(salt);
            case SPRAY -> new Spray(salt);
            case FIXED -> new Fixed(place);
        };
    }

    /// A hash of the connection and of the switch: with the same hash in all switches, those of an
    /// upper tier would use only the ports that the lower tier's choice leaves (polarisation).
    private static final class Ecmp extends RouteChooser {
        private final int salt;

        Ecmp(int salt) {
            this.salt = salt;
        }

        @Override
        int choose(long tag, short[] ports) {
            int hash = (Tag.entropy(tag) ^ salt) * 0x85EB_CA6B;
            hash = (hash ^ (hash >>> 13)) * 0xC2B2_AE35;
            hash ^= hash >>> 16;
            return ports[(int) (((hash & 0xFFFF_FFFFL) * ports.length) >>> 32)];
        }
    }

    /// By the destination alone.
    private static final class Fixed extends RouteChooser {
        private final SwitchPlace place;

        Fixed(SwitchPlace place) {
            this.place = place;
        }

        @Override
        int choose(long tag, short[] ports) {
            return place.fixedPort(Tag.destination(tag));
        }
    }

    /// In turn, from a place of its own.
    private static final class Spray extends RouteChooser {
        private int turn;

        Spray(int salt) {
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
}
