package dev.verbena.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.stream.StreamSettings;
import dev.verbena.verbs.ConnectionRequest;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Listener;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// The thread that waits for requests has one in its hands while its server closes.
class ClosingServerTest {
    private static <T> T standIn(Class<T> type, InvocationHandler calls) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, calls));
    }

    @Test
    void rejectsARequestThatWasTakenBefore() throws Exception {
        CountDownLatch isClosed = new CountDownLatch(1);
        CompletableFuture<String> answer = new CompletableFuture<>();
        ConnectionRequest request =
                standIn(
                        ConnectionRequest.class,
                        (_, method, _) -> {
                            answer.complete(method.getName());
                            return null;
                        });
        Listener listener =
                standIn(
                        Listener.class,
                        (_, method, _) ->
                                switch (method.getName()) {
                                    case "await" -> {
                                        isClosed.await();
                                        yield request;
                                    }
                                    case "port" -> 7471;
                                    default -> null;
                                });
        Device device =
                standIn(
                        Device.class,
                        (_, method, arguments) ->
                                method.getName().equals("listen")
                                        ? listener
                                        : method.invoke(RdmaPermutation.DEVICE, arguments));
        EventLoopGroup loops =
                new MultiThreadIoEventLoopGroup(
                        1, RdmaIoHandler.newFactory(device, StreamSettings.DEFAULT));
        Channel server =
                TestLoops.channel(
                        new ServerBootstrap()
                                .group(loops)
                                .channel(RdmaServerSocketChannel.class)
                                .childHandler(new EchoHandler())
                                .bind(RdmaPermutation.address()));
        TestLoops.finished(server.close());
        isClosed.countDown();
        assertThat(answer.get(TestLoops.LIMIT_S, TimeUnit.SECONDS)).isEqualTo("reject");
        TestLoops.finished(loops.shutdownGracefully(0, TestLoops.LIMIT_S, TimeUnit.SECONDS));
    }
}
