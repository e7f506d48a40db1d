package dev.verbena.netty;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.testsuite.transport.TestsuitePermutation.BootstrapComboFactory;
import io.netty.testsuite.transport.TestsuitePermutation.BootstrapFactory;
import io.netty.testsuite.transport.socket.SocketChannelNotYetConnectedTest;
import io.netty.testsuite.transport.socket.SocketConnectionAttemptTest;
import io.netty.testsuite.transport.socket.SocketFileRegionTest;
import io.netty.testsuite.transport.socket.SocketFixedLengthEchoTest;
import io.netty.testsuite.transport.socket.SocketGatheringWriteTest;
import io.netty.testsuite.transport.socket.SocketHalfClosedTest;
import io.netty.testsuite.transport.socket.SocketObjectEchoTest;
import io.netty.testsuite.transport.socket.SocketReadPendingTest;
import io.netty.testsuite.transport.socket.SocketRstTest;
import io.netty.testsuite.transport.socket.SocketSpdyEchoTest;
import io.netty.testsuite.transport.socket.SocketStringEchoTest;
import io.netty.testsuite.transport.socket.TrafficShapingHandlerTest;
import io.netty.testsuite.transport.socket.WriteBeforeRegisteredTest;
import java.net.SocketAddress;
import java.util.List;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/// Netty's own tests of sockets, over `roce://` on loopback: the rest, and those of clients.
@SuppressWarnings("ClassCanBeStatic") // nested tests are not
@Tag("slow") // for each planted bug
class SocketSuiteMoreTest {
    @Nested
    class FileRegion extends SocketFileRegionTest {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return RdmaPermutation.pairs();
        }

        @Override
        protected SocketAddress newSocketAddress() {
            return RdmaPermutation.address();
        }
    }

    @Nested
    class FixedLengthEcho extends SocketFixedLengthEchoTest {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return RdmaPermutation.pairs();
        }

        @Override
        protected SocketAddress newSocketAddress() {
            return RdmaPermutation.address();
        }
    }

    @Nested
    class GatheringWrite extends SocketGatheringWriteTest {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return RdmaPermutation.pairs();
        }

        @Override
        protected SocketAddress newSocketAddress() {
            return RdmaPermutation.address();
        }
    }

    @Nested
    class HalfClosed extends SocketHalfClosedTest {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return RdmaPermutation.pairs();
        }

        @Override
        protected SocketAddress newSocketAddress() {
            return RdmaPermutation.address();
        }
    }

    @Nested
    class ObjectEcho extends SocketObjectEchoTest {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return RdmaPermutation.pairs();
        }

        @Override
        protected SocketAddress newSocketAddress() {
            return RdmaPermutation.address();
        }
    }

    @Nested
    class ReadPending extends SocketReadPendingTest {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return RdmaPermutation.pairs();
        }

        @Override
        protected SocketAddress newSocketAddress() {
            return RdmaPermutation.address();
        }
    }

    @Nested
    class Rst extends SocketRstTest {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return RdmaPermutation.pairs();
        }

        @Override
        protected SocketAddress newSocketAddress() {
            return RdmaPermutation.address();
        }
    }

    @Nested
    class SpdyEcho extends SocketSpdyEchoTest {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return RdmaPermutation.pairs();
        }

        @Override
        protected SocketAddress newSocketAddress() {
            return RdmaPermutation.address();
        }
    }

    @Nested
    class StringEcho extends SocketStringEchoTest {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return RdmaPermutation.pairs();
        }

        @Override
        protected SocketAddress newSocketAddress() {
            return RdmaPermutation.address();
        }
    }

    @Nested
    class TrafficShapingHandler extends TrafficShapingHandlerTest {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return RdmaPermutation.pairs();
        }

        @Override
        protected SocketAddress newSocketAddress() {
            return RdmaPermutation.address();
        }
    }

    @Nested
    class ChannelNotYetConnected extends SocketChannelNotYetConnectedTest {
        @Override
        @Test
        @Disabled("its peer is a TCP socket of the JDK")
        public void readMustBePendingUntilChannelIsActive(TestInfo info) {}

        @Override
        protected List<BootstrapFactory<Bootstrap>> newFactories() {
            return RdmaPermutation.clients();
        }

        @Override
        protected SocketAddress newSocketAddress() {
            return RdmaPermutation.address();
        }
    }

    @Nested
    class ConnectionAttempt extends SocketConnectionAttemptTest {
        @Override
        protected List<BootstrapFactory<Bootstrap>> newFactories() {
            return RdmaPermutation.clients();
        }

        @Override
        protected SocketAddress newSocketAddress() {
            return RdmaPermutation.address();
        }
    }

    @Nested
    class WriteBeforeRegistered extends WriteBeforeRegisteredTest {
        @Override
        protected List<BootstrapFactory<Bootstrap>> newFactories() {
            return RdmaPermutation.clients();
        }

        @Override
        protected SocketAddress newSocketAddress() {
            return RdmaPermutation.address();
        }
    }
}
