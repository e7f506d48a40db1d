package dev.verbena.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// How long a packet takes from one NIC to another where nothing else is under way: the switches,
/// the cables, and the bits of the packet once.
///
/// @param nearest between two hosts at one leaf, without the switches' part if that is not known
/// @param missing switches whose latency the catalogue does not have
public record Latency(Path nearest, Path farthest, List<String> missing) {
    /// Bytes of the packet that is timed: a payload of 4096 bytes and no headers.
    public static final int PACKET_BYTES = 4096;

    private static final double FIBRE_NS = 5;

    /// One path.
    ///
    /// @param lowNs with the lowest figures of the catalogue
    public record Path(int switches, double metres, double lowNs, double highNs) {}

    static Latency of(Inputs inputs, List<SwitchModel> models, Sized plane, Bill bill) {
        List<String> missing = new ArrayList<>();
        Inputs.Lengths lengths = inputs.lengths();
        double bits = PACKET_BYTES * 8.0 / inputs.rate();
        List<SwitchModel> up = new ArrayList<>();
        double metres = 2 * lengths.host();
        double[] far = cables(bill, 0, 2 * lengths.host());
        if (plane.isPair()) {
            up.addAll(List.of(models.get(0), models.get(0)));
            metres += lengths.spine();
            add(far, cables(bill, 1, lengths.spine()));
        } else {
            up.add(models.get(plane.tiers() - 1));
            for (int tier = 0; tier < plane.tiers() - 1; tier++) {
                up.add(models.get(tier));
                up.add(models.get(tier));
                double length = 2 * (tier == 0 ? lengths.spine() : lengths.core());
                metres += length;
                add(far, cables(bill, tier + 1, length));
            }
        }
        for (SwitchModel model : up) {
            if (model.latencyNs() == null && !missing.contains(model.name())) {
                missing.add(model.name());
            }
        }
        Path nearest =
                path(
                        List.of(models.get(0)),
                        2 * lengths.host(),
                        cables(bill, 0, 2 * lengths.host()),
                        bits);
        return new Latency(nearest, path(up, metres, far, bits), missing);
    }

    private static void add(double[] sum, double[] more) {
        sum[0] += more[0];
        sum[1] += more[1];
    }

    /// Both ends of the range, for a length of the medium of one line of the bill.
    private static double[] cables(Bill bill, int line, double metres) {
        Optional<Medium> medium = bill.cables().get(line).medium();
        double low = medium.map(it -> it.nsPerMetre().low()).orElse(FIBRE_NS);
        double high = medium.map(it -> it.nsPerMetre().high()).orElse(FIBRE_NS);
        return new double[] {low * metres, high * metres};
    }

    private static Path path(List<SwitchModel> up, double metres, double[] cables, double bits) {
        double low = bits + cables[0];
        double high = bits + cables[1];
        for (SwitchModel model : up) {
            Figure each = model.latencyNs();
            low += each == null ? 0 : each.low();
            high += each == null ? 0 : each.high();
        }
        return new Path(up.size(), metres, low, high);
    }

    /// Whether the switches' part is in it.
    public boolean isWhole() {
        return missing.isEmpty();
    }
}
