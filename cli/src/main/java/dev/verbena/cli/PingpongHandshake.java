package dev.verbena.cli;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/// The exchange of libibverbs' pingpong programs over TCP: the client's addresses, the server's,
/// and that the client is done. `ibv_srq_pingpong` sends 256 of them, those without a queue pair
/// all zero.
final class PingpongHandshake {
    private static final byte[] DONE = "done\0".getBytes(StandardCharsets.US_ASCII);

    private final PingpongType type;
    private final List<PingpongAddress> ours;

    PingpongHandshake(PingpongType type, List<PingpongAddress> ours) {
        this.type = type;
        this.ours = ours;
    }

    /// Exchanges addresses and connects: the server before it answers, so that it is ready when the
    /// client's first message comes.
    List<PingpongAddress> meet(
            Socket socket, boolean isClient, Consumer<List<PingpongAddress>> connect)
            throws IOException {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        OutputStream out = socket.getOutputStream();
        try {
            if (isClient) {
                out.write(text());
                List<PingpongAddress> theirs = read(in);
                connect.accept(theirs);
                out.write(DONE);
                return theirs;
            }
            List<PingpongAddress> theirs = read(in);
            connect.accept(theirs);
            out.write(text());
            in.readFully(new byte[DONE.length]);
            return theirs;
        } catch (EOFException early) {
            throw new PerfException(
                    "peer: it disconnected too early; check its output, and whether it is %s"
                            .formatted(type.program()),
                    early);
        }
    }

    private byte[] text() {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        ours.forEach(it -> text.writeBytes(it.toBytes()));
        for (int i = ours.size(); i < type.addresses(); i++) {
            text.writeBytes(PingpongAddress.NONE.toBytes());
        }
        return text.toByteArray();
    }

    private List<PingpongAddress> read(DataInputStream in) throws IOException {
        List<PingpongAddress> theirs = new ArrayList<>();
        int count = 0;
        for (int i = 0; i < type.addresses(); i++) {
            byte[] text = in.readNBytes(PingpongAddress.LENGTH);
            if (text.length < PingpongAddress.LENGTH) {
                throw new EOFException();
            }
            if (i > 0 && Arrays.equals(text, PingpongAddress.NONE.toBytes())) {
                continue;
            }
            count++;
            if (i < ours.size()) {
                theirs.add(PingpongAddress.parse(text, type));
            }
        }
        if (count != ours.size()) {
            throw new PerfException(
                    "peer: it has %d queue pairs, and this side %d; use the same -q on both sides"
                            .formatted(count, ours.size()));
        }
        return theirs;
    }
}
