package dev.verbena.cli.ibsim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// A server that answers late: when a request has come twice, to both.
final class IbsimPortTest {
    private static final int TIMEOUT_S = 30;
    private static final int FIRST_SLOT = 3;

    private final BlockingQueue<Integer> left = new LinkedBlockingQueue<>();
    private int slots = FIRST_SLOT;
    private boolean refusesManagers;

    private final class LateServer implements AutoCloseable {
        private final DatagramSocket socket =
                new DatagramSocket(0, InetAddress.getLoopbackAddress());
        private final List<DatagramPacket> held = new ArrayList<>();

        LateServer() throws IOException {
            Thread.ofPlatform().daemon().start(this::serve);
        }

        InetSocketAddress address() {
            return (InetSocketAddress) socket.getLocalSocketAddress();
        }

        private void serve() {
            try {
                while (!socket.isClosed()) {
                    byte[] bytes = new byte[ControlMessage.LENGTH];
                    DatagramPacket packet = new DatagramPacket(bytes, bytes.length);
                    socket.receive(packet);
                    take(packet);
                }
            } catch (IOException ended) {
                if (!socket.isClosed()) {
                    throw new UncheckedIOException(ended);
                }
            }
        }

        private void take(DatagramPacket packet) throws IOException {
            ControlMessage message = new ControlMessage(ByteBuffer.wrap(packet.getData()));
            switch (message.type()) {
                case ControlMessage.CONNECT -> {
                    held.add(packet);
                    for (DatagramPacket each :
                            held.size() == 2 ? held : List.<DatagramPacket>of()) {
                        new ControlMessage(ByteBuffer.wrap(each.getData())).word(0, slots++);
                        socket.send(each);
                    }
                }
                case ControlMessage.DISCONNECT -> {
                    left.add(message.client());
                    socket.send(packet);
                }
                default -> {
                    if (refusesManagers) {
                        message.fail();
                    }
                    socket.send(packet);
                }
            }
        }

        @Override
        public void close() {
            socket.close();
        }
    }

    @Test
    void aLateAnswerIsNotTakenForThatToTheNextRequest() throws Exception {
        try (LateServer server = new LateServer()) {
            try (IbsimPort port = new IbsimPort(server.address(), "", true)) {
                assertThat(port.slot()).isEqualTo(FIRST_SLOT);
                assertThat(left.poll(TIMEOUT_S, TimeUnit.SECONDS))
                        .as("the place that no one uses")
                        .isEqualTo(FIRST_SLOT + 1);
            }
            assertThat(left.poll(TIMEOUT_S, TimeUnit.SECONDS)).isEqualTo(FIRST_SLOT);
        }
    }

    @Test
    void aRefusalIsTakenThoughAnswersWereLate() throws Exception {
        refusesManagers = true;
        try (LateServer server = new LateServer()) {
            assertThatThrownBy(() -> new IbsimPort(server.address(), "", true))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("refuses");
        }
    }
}
