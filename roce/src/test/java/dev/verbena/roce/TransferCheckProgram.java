package dev.verbena.roce;

import dev.verbena.transport.TransportDevice;
import dev.verbena.verbs.Endpoint;
import dev.verbena.verbs.RemoteSlice;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/// A [TransferCheck] as a program of its own, which talks by lines: it prints how its device works
/// and its endpoint, reads its peer's and a piece of memory, prints how often it was right, and
/// ends when it reads another line.
final class TransferCheckProgram {
    private TransferCheckProgram() {}

    public static void main(String[] args) throws IOException {
        BufferedReader in =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        try (TransportDevice device = TransferCheck.open(args[0])) {
            System.out.println("device " + device.description());
            TransferCheck transfer = new TransferCheck(device, Long.parseLong(args[1]));
            System.out.println("endpoint " + transfer.pair.endpoint().toText());
            String[] peer = in.readLine().split(" ", -1);
            // Eight seconds in all: a peer without a processor is not a lost one.
            transfer.pair.connect(Endpoint.parse(peer[0]), given -> given.timeout(18));
            RemoteSlice target = RemoteSlice.of(HexFormat.of().parseHex(peer[1]));
            // Its output fails when its parent has ended.
            for (int i = 1; !in.ready() && !System.out.checkError(); i++) {
                transfer.move(target);
                System.out.println("moved " + i);
            }
            System.out.println(
                    "forwarded " + device.counters().getOrDefault("socket_tx_forwarded", -1L));
        }
        System.out.println("closed");
    }
}
