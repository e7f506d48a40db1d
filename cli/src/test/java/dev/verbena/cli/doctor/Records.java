package dev.verbena.cli.doctor;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// Healthy hosts, and what becomes of them.
final class Records {
    /// The guest of `interop/rxe`, as its files were; then a host with three ports of two NICs and
    /// one of InfiniBand, put together by hand from public listings.
    static final List<String> HEALTHY = List.of("rxe", "mlx5");

    private Records() {}

    static String text(String name) throws IOException {
        try (InputStream in = Records.class.getResourceAsStream("/doctor/" + name + ".txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    static List<Finding> findings(String record) {
        return Check.all(new RecordedHost(record));
    }

    static Set<String> codes(String record) {
        return findings(record).stream().map(it -> it.code().name()).collect(Collectors.toSet());
    }

    /// A record with a path removed, or with another text.
    static String changed(String record, String change) {
        boolean isRemoval = change.startsWith("-");
        int colon = change.indexOf(':');
        String path = isRemoval ? change.substring(1) : change.substring(0, colon);
        List<String> lines = new ArrayList<>();
        for (String line : record.lines().toList()) {
            boolean isIt = line.startsWith(path + ":");
            if (!isIt && !(isRemoval && line.startsWith(path + "/"))) {
                lines.add(line);
            }
        }
        if (!isRemoval) {
            lines.add(change);
        }
        return String.join("\n", lines) + "\n";
    }
}
