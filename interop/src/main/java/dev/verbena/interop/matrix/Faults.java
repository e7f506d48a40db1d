package dev.verbena.interop.matrix;

/// What the cable does to packets, in both directions.
enum Faults {
    NONE("none", 0, 0, 0),
    LOSS("loss", 0.01, 0, 0),
    DUPLICATION("duplication", 0, 0.02, 0),
    REORDERING("reordering", 0, 0, 0.02),
    ALL("all three", 0.005, 0.01, 0.01);

    private final String title;
    private final double loss;
    private final double duplication;
    private final double reordering;

    Faults(String title, double loss, double duplication, double reordering) {
        this.title = title;
        this.loss = loss;
        this.duplication = duplication;
        this.reordering = reordering;
    }

    String title() {
        return title;
    }

    double loss() {
        return loss;
    }

    double duplication() {
        return duplication;
    }

    double reordering() {
        return reordering;
    }
}
