package dev.verbena.cli;

import dev.verbena.verbs.Endpoint;
import dev.verbena.verbs.RemoteSlice;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/// How two sides of a test come together.
///
/// ```
/// client  verbena-perf 2 verb=WRITE kind=BW …
/// server  ok
/// client  memory …, qp … for each queue pair
/// server  memory …, qp … for each queue pair
/// both    connected
/// client  size 65536      for each size
/// server  ready
/// both    done …          after each part of the warm-up, and again after measuring
/// both    rested true     after each part of the warm-up; false while it compiled
/// client  bye
/// ```
final class PerfHandshake {
    static final String HELLO = "verbena-perf 2";
    static final long LIMIT_NS = 30_000_000_000L;

    private PerfHandshake() {}

    static void tell(PerfExchange exchange, PerfPeer self) {
        StringBuilder text = new StringBuilder("memory ");
        text.append(HexFormat.of().formatHex(self.memory().toBytes()));
        for (Endpoint endpoint : self.endpoints()) {
            text.append("\nqp ").append(endpoint.toText());
        }
        exchange.send(text.toString());
    }

    static PerfPeer hear(PerfExchange exchange, int queuePairs) {
        String memory = exchange.await("memory", LIMIT_NS, PerfExchange::nap);
        List<Endpoint> endpoints = new ArrayList<>();
        for (int i = 0; i < queuePairs; i++) {
            String endpoint = exchange.await("qp", LIMIT_NS, PerfExchange::nap);
            endpoints.add(Endpoint.parse(endpoint));
        }
        try {
            return new PerfPeer(endpoints, RemoteSlice.of(HexFormat.of().parseHex(memory)));
        } catch (IllegalArgumentException malformed) {
            throw new PerfException(
                    "peer: its memory cannot be read; use the same version of verbena on both"
                            + " sides",
                    malformed);
        }
    }
}
