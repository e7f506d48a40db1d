package dev.verbena.cli.metrics;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// Answers HTTP with the figures that were published last. The program that publishes waits for
/// none of those who ask.
final class MetricServer implements MetricSink {
    private static final String PATH = "/metrics";
    private static final String TYPE = "text/plain; version=0.0.4; charset=utf-8";
    private static final int BACKLOG = 16;
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int METHOD_NOT_ALLOWED = 405;

    static {
        // Who connects and says nothing, or reads nothing, does not keep its place for ever.
        limit("sun.net.httpserver.maxReqTime", "10");
        limit("sun.net.httpserver.maxRspTime", "10");
        limit("jdk.httpserver.maxConnections", "32");
    }

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private volatile byte[] figures = new byte[0];

    private static void limit(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }

    /// Listens.
    MetricServer(InetSocketAddress address) throws IOException {
        try {
            server = HttpServer.create(address, BACKLOG);
        } catch (BindException taken) {
            threads.close();
            throw new IOException(
                    "--metrics: no one can listen at %s:%d: %s"
                            .formatted(
                                    address.getAddress().getHostAddress(),
                                    address.getPort(),
                                    taken.getMessage()),
                    taken);
        }
        server.createContext("/", this::answer);
        server.setExecutor(threads);
        server.start();
    }

    /// The port at which it listens.
    int port() {
        return server.getAddress().getPort();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String method = exchange.getRequestMethod();
            boolean isHead = method.equals("HEAD");
            if (!isHead && !method.equals("GET")) {
                exchange.sendResponseHeaders(METHOD_NOT_ALLOWED, -1);
            } else if (!exchange.getRequestURI().getPath().equals(PATH)) {
                exchange.sendResponseHeaders(NOT_FOUND, -1);
            } else {
                byte[] body = figures;
                exchange.getResponseHeaders().set("Content-Type", TYPE);
                boolean hasBody = !isHead && body.length > 0;
                exchange.sendResponseHeaders(OK, hasBody ? body.length : -1);
                if (hasBody) {
                    exchange.getResponseBody().write(body);
                }
            }
        }
    }

    @Override
    public void publish(MetricText text) {
        figures = text.toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
