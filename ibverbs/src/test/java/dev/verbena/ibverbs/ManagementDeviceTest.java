package dev.verbena.ibverbs;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.InvalidRequestException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;

/// Management datagrams as libibumad wants them, with one that answers in this process.
class ManagementDeviceTest {
    private static final int GET = 1;
    private static final int GET_RESPONSE = 0x81;

    /// What was sent: agent, LID, queue pair, key, time-out, the first byte of the datagram.
    private record Sent(int agent, int lid, int pair, int key, int timeoutMs, int first) {}

    private record Came(int status, int lid, int pair, int first) {}

    /// Has a header of 56 bytes until a port is open, and of 64 from then on, as the real one.
    private static final class Fake implements Library {
        private final Map<String, Function> functions = new HashMap<>();
        private final List<Sent> sent = new ArrayList<>();
        private final ArrayDeque<Came> coming = new ArrayDeque<>();
        private final List<Integer> closed = new ArrayList<>();
        private int header = 56;
        private int refusesClass = -1;
        private int[] address = new int[3];

        Fake() {
            define("umad_init", _ -> 0);
            define(
                    "umad_open_port",
                    it -> {
                        header = 64;
                        return it[1] == 1 ? 7 : -22;
                    });
            define("umad_close_port", it -> closed.add((int) it[0]) ? 0 : 1);
            define("umad_register", it -> it[1] == refusesClass ? -1 : it[1] & 0xF);
            define("umad_size", _ -> header);
            define("umad_get_mad", it -> it[0] + header);
            define("umad_status", it -> memory(it[0]).get(JAVA_INT, 4));
            define(
                    "umad_set_addr",
                    it -> {
                        address = new int[] {(int) it[1], (int) it[2], (int) it[4]};
                        return 0;
                    });
            define("umad_send", this::send);
            define("umad_recv", this::receive);
            define("umad_poll", _ -> coming.isEmpty() ? -110 : 0);
            define("umad_get_issm_path", _ -> 0);
            define("open", _ -> 9);
            define("close", it -> closed.add((int) it[0]) ? 0 : 1);
        }

        private void define(String name, ToLongFunction<long[]> body) {
            functions.put(name, it -> new Answer(body.applyAsLong(it), 0));
        }

        private static MemorySegment memory(long at) {
            return Native.everything().asSlice(at, 320);
        }

        private long send(long... it) {
            int first = memory(it[2]).get(JAVA_BYTE, header);
            sent.add(new Sent((int) it[1], address[0], address[1], address[2], (int) it[4], first));
            return 0;
        }

        private long receive(long... it) {
            Came next = coming.remove();
            MemorySegment buffer = memory(it[1]);
            buffer.set(JAVA_INT, 4, next.status);
            buffer.set(JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN), 20, next.pair);
            buffer.set(JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN), 28, (short) next.lid);
            buffer.set(JAVA_BYTE, header, (byte) next.first);
            return 1;
        }

        @Override
        public Function function(String symbol, Kind result, Kind... arguments) {
            return Objects.requireNonNull(functions.get(symbol), symbol);
        }

        @Override
        public Function pointer(String title, long address, Kind result, Kind... arguments) {
            throw new AssertionError("no function is called by its address");
        }
    }

    private final Fake fake = new Fake();

    private ManagementDevice open() {
        return new ManagementDevice(new Umad(fake, fake), "mlx5_0", 1, true, 200);
    }

    private static MemorySegment mad(int managementClass, int method) {
        MemorySegment mad = MemorySegment.ofArray(new byte[ManagementDevice.LENGTH]);
        mad.set(JAVA_BYTE, 0, (byte) 1);
        mad.set(JAVA_BYTE, 1, (byte) managementClass);
        mad.set(JAVA_BYTE, 3, (byte) method);
        return mad;
    }

    @Test
    void aRequestGoesToItsLidAndWaitsForAnAnswerWhichWaitsForNone() {
        try (ManagementDevice device = open()) {
            device.send(ManagementDevice.DIRECTED, 0, mad(0x81, GET));
            device.send(5, 0, mad(0x01, GET_RESPONSE));
            device.send(6, 1, mad(0x03, GET));
        }
        assertThat(fake.sent)
                .containsExactly(
                        new Sent(1, 0xFFFF, 0, 0, 200, 1),
                        new Sent(1, 5, 0, 0, 0, 1),
                        new Sent(3, 6, 1, 0x8001_0000, 200, 1));
        assertThat(fake.closed).containsExactly(7, 9);
    }

    @Test
    void whatHasComeIsHandedOverWithItsSenderAndARequestWithoutAnswerIsNot() {
        fake.coming.add(new Came(0, 0xC001, 1, 77));
        fake.coming.add(new Came(110, 4, 0, 78));
        List<String> seen = new ArrayList<>();
        try (ManagementDevice device = open()) {
            boolean any =
                    device.receive(
                            (lid, pair, mad) ->
                                    seen.add(lid + " " + pair + " " + mad.get(JAVA_BYTE, 0)));
            assertThat(any).isTrue();
            assertThat(device.receive((_, _, _) -> {})).isFalse();
        }
        assertThat(seen).containsExactly("49153 1 77");
    }

    @Test
    void aPortThatIsNotThereIsNamed() {
        assertThatThrownBy(
                        () -> new ManagementDevice(new Umad(fake, fake), "mlx5_0", 2, false, 200))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageStartingWith("mlx5_0 port 2: it cannot be opened: error 22; check");
    }

    @Test
    void aClassThatAnotherProgramHasClosesThePort() {
        fake.refusesClass = 0x01;
        assertThatThrownBy(this::open).hasMessageContaining("class 0x01 cannot be registered");
        assertThat(fake.closed).containsExactly(7, 9);
    }

    @Test
    void otherDatagramsAndAClosedPortAreRefused() {
        ManagementDevice device = open();
        assertThatThrownBy(() -> device.send(1, 1, mad(0x04, GET)))
                .hasMessageContaining("class 0x04");
        assertThatThrownBy(() -> device.send(1, 1, mad(0x03, GET).asSlice(0, 100)))
                .hasMessageContaining("100 bytes");
        device.close();
        device.close();
        assertThatThrownBy(() -> device.send(1, 1, mad(0x03, GET)))
                .hasMessageContaining("it is closed");
        assertThat(fake.closed).containsExactly(7, 9);
    }
}
