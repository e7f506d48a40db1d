package dev.verbena.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.Connection;
import dev.verbena.verbs.Device;
import dev.verbena.virtual.VirtualSettings;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/// What a stream asks of its connection for each piece of data. Over libibverbs the state of a
/// connection is a system call.
class AppendCostTest {
    private int asked;

    @Test
    void anAppendDoesNotAskTheQueuePair() throws IOException {
        try (TwoEnds ends = new TwoEnds(VirtualSettings.DEFAULT, StreamSettings.DEFAULT);
                StreamGroup group = new StreamGroup(counting(ends.left), StreamSettings.DEFAULT)) {
            ByteStream from = group.connect(ends.address());
            ByteStream to = ends.rightGroup.accept(ends.request());
            while (!from.isConnected() || !to.isConnected()) {
                group.progress();
                ends.run(to::isConnected, 100_000);
            }
            assertThat(asked).isPositive();
            asked = 0;
            for (int i = 0; i < 100; i++) {
                assertThat(from.write(ByteBuffer.allocate(64))).isEqualTo(64);
                group.progress();
                ends.run(() -> false, 100_000);
            }
            assertThat(asked).isZero();
            // What an event has told is known all the same, before a completion was polled.
            to.abort();
            ends.run(() -> false, 10_000_000);
            assertThatThrownBy(() -> from.append(ByteBuffer.allocate(1)))
                    .hasMessageContaining("broken pipe");
        }
    }

    /// The same device, with connections that count how often their state is asked.
    private Device counting(Device device) {
        return (Device)
                Proxy.newProxyInstance(
                        Device.class.getClassLoader(),
                        device.getClass().getInterfaces(),
                        (proxy, method, arguments) -> {
                            try {
                                Object answer = method.invoke(device, arguments);
                                return answer instanceof Connection made ? counting(made) : answer;
                            } catch (InvocationTargetException thrown) {
                                throw thrown.getCause();
                            }
                        });
    }

    private Connection counting(Connection connection) {
        return (Connection)
                Proxy.newProxyInstance(
                        Connection.class.getClassLoader(),
                        new Class<?>[] {Connection.class},
                        (proxy, method, arguments) -> {
                            asked += method.getName().equals("state") ? 1 : 0;
                            try {
                                return method.invoke(connection, arguments);
                            } catch (InvocationTargetException thrown) {
                                throw thrown.getCause();
                            }
                        });
    }
}
