package dev.verbena.roce;

import dev.verbena.transport.TransportDevice;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/// A program that is the peer of [Traffic] until it is killed, or its parent is gone.
///
/// It reads the URI of its device, says what it offers, reads what it is offered with the timeout
/// to use, and goes on from there.
final class PeerProgram {
    private static final Duration PATIENCE = Duration.ofMillis(100);

    private PeerProgram() {}

    public static void main(String[] args) throws IOException {
        BufferedReader in =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String uri = in.readLine();
        if (uri == null) {
            return;
        }
        try (TransportDevice device =
                        RoceProvider.open(RoceUri.parse(URI.create(uri)), options -> {});
                Traffic traffic = new Traffic(device)) {
            System.out.println(traffic.offer());
            String timeout = in.readLine();
            String offered = in.readLine();
            if (timeout == null || offered == null) {
                return;
            }
            Thread.ofPlatform().daemon().start(() -> endWith(in));
            traffic.connect(offered, Integer.parseInt(timeout));
            System.out.println("connected");
            traffic.begin();
            while (traffic.outstanding() > 0) {
                traffic.pump(PATIENCE);
            }
            System.out.println(traffic.failures());
        }
    }

    /// Ends this process when the other end is closed.
    private static void endWith(BufferedReader in) {
        try {
            while (in.readLine() != null) {
                // Nothing else is said.
            }
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        } finally {
            Runtime.getRuntime().halt(0);
        }
    }
}
