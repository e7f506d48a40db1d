package dev.verbena.cli.ibsim;

import dev.verbena.subnet.SaAnswer;
import dev.verbena.subnet.SaClient;
import dev.verbena.wire.mad.PortInfo;
import dev.verbena.wire.mad.SaRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.Optional;

/// A program that asks subnet administration, attached to a simulated subnet at a port of its own.
public final class SaSession implements AutoCloseable {
    private static final long TIMEOUT_NS = 1_000_000_000L;
    private static final int RETRIES = 3;
    private static final long NS_PER_MS = 1_000_000;

    /// Numbers of requests begin where the clock stands, in steps of a microsecond or so.
    private static final int TICK = 10;

    private final IbsimPort port;
    private final SaClient client;

    /// Attaches to a server.
    ///
    /// @param node at which; empty: at the first
    public SaSession(InetSocketAddress server, String node) throws IOException {
        port = new IbsimPort(server, node, false);
        try {
            int manager = PortInfo.MASTER_SM_LID.readInt(port.portInfo(), 0);
            if (manager == 0) {
                throw new IOException(
                        "the port knows no subnet manager: start verbena sm or opensm first");
            }
            client =
                    new SaClient(
                            new SaClient.Settings(manager, TIMEOUT_NS, RETRIES, 0),
                            System.nanoTime() >>> TICK);
        } catch (IOException | RuntimeException failed) {
            port.close();
            throw failed;
        }
    }

    /// Queues a request; see [SaClient#ask].
    public long ask(int method, SaRecord record, MemorySegment template, long mask) {
        return client.ask(method, record, template, mask);
    }

    /// The next answer.
    public SaAnswer await() throws IOException {
        Optional<SaAnswer> answer = client.poll();
        while (answer.isEmpty()) {
            turn();
            answer = client.poll();
        }
        return answer.get();
    }

    private void turn() throws IOException {
        long nowNs = System.nanoTime();
        client.handleTimeout(nowNs);
        boolean hasSent = false;
        try {
            while (client.transmit(nowNs, port::sendUnchecked)) {
                hasSent = true;
            }
        } catch (UncheckedIOException failed) {
            throw failed.getCause();
        }
        boolean hasReceived =
                port.receive((lid, pair, mad) -> client.handle(System.nanoTime(), mad));
        long leftMs = (client.timeoutNs() - nowNs) / NS_PER_MS;
        if (!hasSent && !hasReceived && leftMs > 0) {
            port.await(leftMs);
        }
    }

    @Override
    public void close() throws IOException {
        port.close();
    }
}
