package dev.verbena.netty;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.testsuite.transport.TestsuitePermutation.BootstrapComboFactory;
import io.netty.testsuite.transport.socket.SocketSslEchoTest;
import io.netty.testsuite.transport.socket.SocketSslGreetingTest;
import io.netty.testsuite.transport.socket.SocketSslSessionReuseTest;
import io.netty.testsuite.transport.socket.SocketStartTlsTest;
import java.net.SocketAddress;
import java.util.List;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/// Netty's own tests of TLS, over `roce://` on loopback.
@SuppressWarnings("ClassCanBeStatic") // nested tests are not
@Tag("slow")
class TlsSuiteTest {
    @Nested
    class SslGreeting extends SocketSslGreetingTest {
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
    class SslEcho extends SocketSslEchoTest {
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
    class StartTls extends SocketStartTlsTest {
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
    class SslSessionReuse extends SocketSslSessionReuseTest {
        @Override
        @Test
        @Disabled("its second case needs classes of netty-tcnative, which wraps a library in C")
        public void testSslSessionTrustManagerResumption(
                SslContextBuilder server, SslContextBuilder client, TestInfo info) {}

        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return RdmaPermutation.pairs();
        }

        @Override
        protected SocketAddress newSocketAddress() {
            return RdmaPermutation.address();
        }
    }
}
