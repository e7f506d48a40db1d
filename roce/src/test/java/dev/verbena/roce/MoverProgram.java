package dev.verbena.roce;

import dev.verbena.transport.TransportDevice;
import dev.verbena.verbs.Endpoint;
import dev.verbena.verbs.RemoteSlice;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/// A [Mover] as a program of its own, which talks by lines: it says its endpoint, is told its
/// peer's and a piece of memory, says how often it was right, and is told to end.
final class MoverProgram {
    private MoverProgram() {}

    public static void main(String[] args) throws IOException {
        BufferedReader in =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        try (TransportDevice device = Mover.open(args[0])) {
            Mover mover = new Mover(device, Long.parseLong(args[1]));
            System.out.println("endpoint " + mover.pair.endpoint().toText());
            String[] peer = in.readLine().split(" ", -1);
            mover.pair.connect(Endpoint.parse(peer[0]));
            RemoteSlice target = RemoteSlice.of(HexFormat.of().parseHex(peer[1]));
            // Its output fails when nobody is there to end it.
            for (int i = 1; !in.ready() && !System.out.checkError(); i++) {
                mover.move(target);
                System.out.println("moved " + i);
            }
            System.out.println(
                    "forwarded " + device.counters().getOrDefault("socket_tx_forwarded", -1L));
        }
        System.out.println("closed");
    }
}
