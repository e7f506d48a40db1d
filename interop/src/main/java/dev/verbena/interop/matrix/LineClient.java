package dev.verbena.interop.matrix;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Asks a program of the laboratory by lines of words: one line there, one line back.
final class LineClient implements AutoCloseable {
    private static final int CONNECT_MS = 10_000;
    // Longer than the longest wait that a script asks for.
    private static final int ANSWER_MS = 60_000;

    private final String name;
    private final Socket socket;
    private final BufferedReader in;

    LineClient(InetSocketAddress address) {
        name = address.getHostString() + ":" + address.getPort();
        socket = new Socket();
        try {
            socket.connect(address, CONNECT_MS);
            socket.setSoTimeout(ANSWER_MS);
            socket.setTcpNoDelay(true);
            in =
                    new BufferedReader(
                            new InputStreamReader(
                                    socket.getInputStream(), StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException(name + ": no answer", e);
        }
    }

    /// Sends a line and returns the words behind "ok".
    List<String> ask(String line) {
        return ask(List.of(line)).getFirst();
    }

    /// Sends lines together and returns what each was answered with.
    List<List<String>> ask(List<String> lines) {
        List<List<String>> answers = new ArrayList<>();
        try {
            String text = String.join("\n", lines) + "\n";
            socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
            List<CellFailure> refused = new ArrayList<>();
            for (String line : lines) {
                try {
                    answers.add(answer(line));
                } catch (CellFailure e) {
                    refused.add(e); // the answers to the other lines are still to be read
                }
            }
            if (!refused.isEmpty()) {
                throw refused.getFirst();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(name + ": gone after " + lines, e);
        }
        return answers;
    }

    private List<String> answer(String asked) throws IOException {
        String line = in.readLine();
        if (line == null) {
            throw new IOException("no answer to '%s'".formatted(asked));
        }
        if (!line.startsWith("ok")) {
            throw new CellFailure("%s: '%s' was answered with '%s'".formatted(name, asked, line));
        }
        return List.of(line.substring(2).strip().split(" +"));
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
