package dev.verbena.cli.doctor;

/// What findings are about; the first digit of their codes.
enum Area {
    DEVICES(1, "devices"),
    LIBRARIES(2, "libraries"),
    PORTS(3, "ports"),
    GIDS(4, "GIDs and RoCE versions"),
    MTU(5, "MTU"),
    LIMITS(6, "limits of this process"),
    LOSSLESS(7, "congestion and priorities"),
    SOCKETS(8, "sockets for roce://"),
    PLACE(9, "containers and ways out");

    private final int digit;
    private final String title;

    Area(int digit, String title) {
        this.digit = digit;
        this.title = title;
    }

    String title() {
        return title;
    }

    /// The area of a code such as `VD301`.
    static Area of(String code) {
        int digit = code.charAt(2) - '0';
        for (Area area : values()) {
            if (area.digit == digit) {
                return area;
            }
        }
        throw new IllegalArgumentException("no area has the digit of " + code);
    }
}
