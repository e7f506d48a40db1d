package dev.verbena.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.TimeUnit;

/// TCP ports of tests.
final class Ports {
    private Ports() {}

    /// Connects as soon as somebody listens there.
    static Socket connect(String address, int port) throws IOException {
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (true) {
            try {
                return new Socket(InetAddress.ofLiteral(address), port);
            } catch (IOException refused) {
                if (System.nanoTime() - endNs > 0) {
                    throw refused;
                }
            }
        }
    }

    /// One that was free just now.
    static int free(String address) throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.ofLiteral(address))) {
            return socket.getLocalPort();
        }
    }
}
