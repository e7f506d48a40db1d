package dev.verbena.easy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.NoDeviceException;
import dev.verbena.verbs.UnsupportedException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.text.MessageFormat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A machine whose RDMA device is taken away: 203.0.113.1 is no address of any.
@Timeout(60)
class FallbackTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final String AWAY = "roce://203.0.113.1";
    private static final NodeSettings TCP =
            NodeSettings.DEFAULT.withFallback(Fallback.TCP).withWindow(4);

    private static InetSocketAddress at(MessageServer server) {
        return new InetSocketAddress(InetAddress.ofLiteral("127.0.61.1"), server.port());
    }

    @Test
    void withoutADeviceThereIsNoNodeUnlessAskedFor() {
        assertThatThrownBy(() -> RdmaNode.open(AWAY)).isInstanceOf(NoDeviceException.class);
    }

    @Test
    void messagesAndRequestsRunOverTcpAndThatIsLoggedOnce() throws IOException {
        List<String> said = new ArrayList<>();
        Logger logger = Logger.getLogger(RdmaNode.class.getName());
        Handler handler = collecting(said);
        logger.addHandler(handler);
        try (RdmaNode server = RdmaNode.open("roce://127.0.61.1", TCP);
                RdmaNode client = RdmaNode.open(AWAY, TCP);
                MessageServer listening = server.listen(0)) {
            assertThat(client.isRdma()).isFalse();
            for (int i = 0; i < 2; i++) {
                try (MessageChannel near = client.connect(at(listening));
                        MessageChannel far = listening.accept(LIMIT)) {
                    assertThat(near.isRdma()).isFalse();
                    for (int n = 0; n < 100; n++) {
                        near.send(new byte[n]);
                        assertThat(far.receive(LIMIT)).hasSize(n);
                    }
                    var reply = near.requestAsync(new byte[] {1, 2}, LIMIT);
                    Request request = far.nextRequest();
                    assertThat(request).isNotNull();
                    request.reply(new byte[] {3});
                    assertThat(reply.join()).containsExactly(3);
                }
            }
        } finally {
            logger.removeHandler(handler);
        }
        assertThat(said)
                .singleElement()
                .asString()
                .startsWith("channels run over TCP, without remote memory: ")
                .contains("203.0.113.1");
    }

    private static Handler collecting(List<String> said) {
        return new Handler() {
            @Override
            public void publish(LogRecord record) {
                said.add(MessageFormat.format(record.getMessage(), record.getParameters()));
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
    }

    @Test
    void thePeerWithADeviceStillUsesIt() throws IOException {
        try (RdmaNode server = RdmaNode.open("roce://127.0.61.1", TCP);
                RdmaNode client = RdmaNode.open("roce://127.0.61.2", TCP);
                MessageServer listening = server.listen(0);
                MessageChannel near = client.connect(at(listening));
                MessageChannel far = listening.accept(LIMIT)) {
            assertThat(near.isRdma()).isTrue();
            far.send(new byte[] {5});
            assertThat(near.receive(LIMIT)).containsExactly(5);
        }
    }

    @Test
    void remoteMemoryIsRefused() throws IOException {
        try (RdmaNode server = RdmaNode.open(AWAY, TCP.withFallback(Fallback.TCP));
                RdmaNode client = RdmaNode.open("roce://203.0.113.2", TCP)) {
            assertThatThrownBy(() -> server.export("table", 64))
                    .isInstanceOf(UnsupportedException.class)
                    .hasMessageContaining("it runs over TCP, which has no remote memory");
            assertThatThrownBy(() -> client.pool(1, 64)).isInstanceOf(UnsupportedException.class);
        }
        try (RdmaNode server = RdmaNode.open("roce://127.0.61.1", TCP);
                RdmaNode client = RdmaNode.open(AWAY, TCP);
                MessageServer listening = server.listen(0);
                MessageChannel near = client.connect(at(listening))) {
            assertThatThrownBy(() -> near.memory("table"))
                    .isInstanceOf(UnsupportedException.class)
                    .hasMessageContaining("it runs over TCP, which has no remote memory");
        }
    }

    @Test
    void aSlowReaderStopsTheSenderAtItsWindow() throws IOException {
        try (RdmaNode server = RdmaNode.open("roce://127.0.61.1", TCP);
                RdmaNode client = RdmaNode.open(AWAY, TCP);
                MessageServer listening = server.listen(0)) {
            MessageChannel near = client.connect(at(listening));
            MessageChannel far = listening.accept(LIMIT);
            for (int i = 0; i < 4; i++) {
                near.send(new byte[] {(byte) i});
            }
            MemorySegment next = MemorySegment.NULL;
            assertThatThrownBy(() -> near.send(next, Duration.ofMillis(1)))
                    .isInstanceOf(SocketTimeoutException.class);
            for (int i = 0; i < 4; i++) {
                assertThat(far.receive(LIMIT)).isEqualTo(new byte[] {(byte) i});
            }
            near.send(next, LIMIT);
            near.close();
            assertThat(far.receive(LIMIT)).isEmpty();
            assertThat(far.receive(LIMIT)).isNull();
        }
    }

    @Test
    void aPeerThatVanishesEndsTheChannel() throws IOException {
        try (RdmaNode server = RdmaNode.open("roce://127.0.61.1", TCP);
                MessageServer listening = server.listen(0)) {
            MessageChannel far;
            try (Socket socket =
                    new Socket(InetAddress.ofLiteral("127.0.61.1"), listening.port())) {
                socket.getOutputStream().write(new Greeting(4096, 4).toBytes());
                far = listening.accept(LIMIT);
            }
            assertThatThrownBy(() -> far.receive(LIMIT)).isInstanceOf(ChannelException.class);
        }
    }

    /// What a stranger sends costs it its connection, and the others nothing.
    @Test
    void strangeBytesEndTheirConnectionOnly() throws IOException {
        byte[] header = ByteBuffer.allocate(20).putInt(16).array();
        byte[] manyCredits = header.clone();
        manyCredits[4] = Frame.CREDIT;
        manyCredits[11] = 1;
        byte[] unasked = header.clone();
        unasked[4] = Frame.REPLY;
        byte[] unknown = header.clone();
        unknown[4] = 77;
        byte[] tooLong = ByteBuffer.allocate(20).putInt(1 << 30).array();
        try (RdmaNode server = RdmaNode.open("roce://127.0.61.1", TCP);
                MessageServer listening = server.listen(0)) {
            for (byte[] strange : List.of(manyCredits, unasked, unknown, tooLong)) {
                try (Socket socket =
                        new Socket(InetAddress.ofLiteral("127.0.61.1"), listening.port())) {
                    socket.getOutputStream().write(new Greeting(4096, 4).toBytes());
                    MessageChannel far = listening.accept(LIMIT);
                    socket.getOutputStream().write(strange);
                    assertThatThrownBy(() -> far.receive(LIMIT))
                            .isInstanceOf(ChannelException.class);
                    far.close();
                }
            }
            // More messages than the window, in one go.
            try (Socket socket =
                    new Socket(InetAddress.ofLiteral("127.0.61.1"), listening.port())) {
                socket.getOutputStream().write(new Greeting(4096, 4).toBytes());
                MessageChannel far = listening.accept(LIMIT);
                byte[] message = header.clone();
                message[4] = Frame.MESSAGE;
                for (int i = 0; i < 5; i++) {
                    socket.getOutputStream().write(message);
                }
                assertThatThrownBy(
                                () -> {
                                    far.nextRequest();
                                })
                        .isInstanceOf(ChannelException.class)
                        .hasMessageContaining("more than 4 messages that were not taken");
                far.close();
            }
        }
    }
}
