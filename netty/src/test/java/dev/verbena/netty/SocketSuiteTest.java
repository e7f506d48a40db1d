package dev.verbena.netty;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.testsuite.transport.TestsuitePermutation.BootstrapComboFactory;
import io.netty.testsuite.transport.socket.CompositeBufferGatheringWriteTest;
import io.netty.testsuite.transport.socket.SocketAutoReadTest;
import io.netty.testsuite.transport.socket.SocketBufReleaseTest;
import io.netty.testsuite.transport.socket.SocketCancelWriteTest;
import io.netty.testsuite.transport.socket.SocketCloseForciblyTest;
import io.netty.testsuite.transport.socket.SocketConditionalWritabilityTest;
import io.netty.testsuite.transport.socket.SocketConnectTest;
import io.netty.testsuite.transport.socket.SocketDataReadInitialStateTest;
import io.netty.testsuite.transport.socket.SocketEchoTest;
import io.netty.testsuite.transport.socket.SocketExceptionHandlingTest;
import java.net.SocketAddress;
import java.util.List;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/// Netty's own tests of sockets, over `roce://` on loopback: data, ends and reading.
@SuppressWarnings("ClassCanBeStatic") // nested tests are not
@Tag("slow") // for each planted bug
class SocketSuiteTest {
    @Nested
    class CompositeBufferGatheringWrite extends CompositeBufferGatheringWriteTest {
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
    class AutoRead extends SocketAutoReadTest {
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
    class BufRelease extends SocketBufReleaseTest {
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
    class CancelWrite extends SocketCancelWriteTest {
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
    class CloseForcibly extends SocketCloseForciblyTest {
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
    class ConditionalWritability extends SocketConditionalWritabilityTest {
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
    class Connect extends SocketConnectTest {
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
    class DataReadInitialState extends SocketDataReadInitialStateTest {
        @Override
        @Test
        @Disabled(
                "connects to a server that accepts later; over RDMA a connection begins with the"
                        + " accept")
        public void testAutoReadOffNoDataReadUntilReadCalled(TestInfo info) {}

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
    class Echo extends SocketEchoTest {
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
    class ExceptionHandling extends SocketExceptionHandlingTest {
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
