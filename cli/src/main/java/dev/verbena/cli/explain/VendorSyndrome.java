package dev.verbena.cli.explain;

import java.util.Locale;
import java.util.Map;

/// What vendors' codes beside a status say.
///
/// Vendors publish no list. These are codes of Mellanox and NVIDIA NICs (mlx4, mlx5) that public
/// reports show again and again with one status; what is not here is said to be not known.
final class VendorSyndrome {
    private static final Map<Integer, String> WITH =
            Map.of(
                    0x51, "4 the local buffer or its key was refused",
                    0x52, "4 the local buffer or its key was refused",
                    0x68, "2 the request as posted was refused",
                    0x81, "12 all retries of the transport were used up; no answer came",
                    0x87, "13 all retries for a receiver that was not ready were used up",
                    0x88, "10 the peer answered: access to that memory is refused",
                    0x89, "11 the peer answered: it could not carry the request out",
                    0x8A, "9 the peer answered: the request makes no sense to it",
                    0xF9, "5 flushed, after the queue pair had failed");

    private VendorSyndrome() {}

    /// In a sentence, what a code adds to a status.
    static String explain(int status, int vendor) {
        String code = String.format(Locale.ROOT, "vendor error %d (0x%02x)", vendor, vendor);
        if (vendor == 0) {
            return code + ": nothing more to say; Verbena's own transport always has 0.";
        }
        String known = WITH.get(vendor);
        if (known == null) {
            return code + ": not known here; ask the vendor, with the firmware's version.";
        }
        int space = known.indexOf(' ');
        String meaning = code + ", mlx4 and mlx5: " + known.substring(space + 1) + ".";
        int usual = Integer.parseInt(known.substring(0, space));
        return usual == status
                ? meaning
                : meaning + " It is usual with status " + usual + ", not with this one.";
    }
}
