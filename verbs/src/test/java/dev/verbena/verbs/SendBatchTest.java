package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What the pleasant form of a batch becomes in the primitive one.
class SendBatchTest {
    private static final MemoryRegion REGION = new TestRegion(4096, 0x1000, 0xAA);
    private static final RemoteSlice PEER = new RemoteSlice(0x9000, 4096, 0xBB);

    private final List<String> calls = new ArrayList<>();
    private final SendBatch sends = recorder(SendBatch.class);
    private final ReceiveBatch receives = recorder(ReceiveBatch.class);

    @Test
    void aSendOfASliceIsASendAndAPiece() {
        sends.send(REGION.slice(8, 16));
        assertThat(calls).containsExactly("send", "local mr 0xaa 8 16");
    }

    @Test
    void aWriteOfASliceNamesAddressAndKey() {
        sends.write(REGION.slice(8, 16), PEER.slice(32, 16));
        sends.writeImmediate(REGION.slice(0, 1), PEER.slice(0, 1), 5);
        assertThat(calls)
                .containsExactly(
                        "write " + 0x9020 + " " + 0xBB,
                        "local mr 0xaa 8 16",
                        "writeImmediate " + 0x9000 + " " + 0xBB + " 5",
                        "local mr 0xaa 0 1");
    }

    @Test
    void aReadOfASliceNamesAddressAndKey() {
        sends.read(REGION.slice(8, 16), PEER.slice(32, 16));
        assertThat(calls).containsExactly("read " + 0x9020 + " " + 0xBB, "local mr 0xaa 8 16");
    }

    @Test
    void slicesOfDifferentLengthsAreRefusedBeforeARequestIsBegun() {
        LocalSlice here = REGION.slice(0, 8);
        RemoteSlice there = PEER.slice(0, 9);
        assertThatThrownBy(() -> sends.write(here, there))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessage(
                        "mr 0xaa: 8 bytes here and 9 at the peer; slice both to the same length");
        assertThatThrownBy(() -> sends.writeImmediate(here, there, 1))
                .isInstanceOf(InvalidRequestException.class);
        assertThatThrownBy(() -> sends.read(here, there))
                .isInstanceOf(InvalidRequestException.class);
        assertThat(calls).isEmpty();
    }

    @Test
    void aSendOfASliceTakesImmediateDataOrAKeyToEnd() {
        sends.sendImmediate(REGION.slice(8, 16), 7);
        sends.sendInvalidate(REGION.slice(8, 16), 0xCC);
        assertThat(calls)
                .containsExactly(
                        "sendImmediate 7",
                        "local mr 0xaa 8 16",
                        "sendInvalidate " + 0xCC,
                        "local mr 0xaa 8 16");
    }

    @Test
    void anAtomicOfSlicesNamesAddressAndKey() {
        sends.compareAndSwap(REGION.slice(8, 8), PEER.slice(32, 8), 1, 2);
        sends.fetchAndAdd(REGION.slice(16, 8), PEER.slice(40, 8), -3);
        assertThat(calls)
                .containsExactly(
                        "compareAndSwap " + 0x9020 + " " + 0xBB + " 1 2",
                        "local mr 0xaa 8 8",
                        "fetchAndAdd " + 0x9028 + " " + 0xBB + " -3",
                        "local mr 0xaa 16 8");
    }

    @Test
    void anAtomicOnOtherThanEightBytesIsRefusedBeforeItIsBegun() {
        assertThatThrownBy(() -> sends.compareAndSwap(REGION.slice(0, 8), PEER, 1, 2))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessage(
                        "mr 0xaa: an atomic on 8 bytes here and 4096 at the peer;"
                                + " slice both to 8");
        assertThatThrownBy(() -> sends.fetchAndAdd(REGION.slice(0, 4), PEER.slice(0, 8), 1))
                .isInstanceOf(InvalidRequestException.class);
        assertThat(calls).isEmpty();
    }

    @Test
    void aDatagramToAnEndpointNamesItsNumberAndKey() {
        Endpoint peer =
                new Endpoint(QueuePairType.UD, 0, Gid.NONE, 0x77, 0, 1024, 0, 4791, 0xFFFF, 0x1234);
        AddressHandle way = named(AddressHandle.class);
        sends.send().to(way, peer);
        assertThat(calls).containsExactly("send", "to way " + 0x77 + " " + 0x1234);
    }

    @Test
    void aBindToASliceNamesItsBytesAndRights() {
        MemoryWindow window = named(MemoryWindow.class);
        sends.bind(window, REGION.slice(8, 16), Access.REMOTE_READ);
        sends.bind(window, REGION.slice(0, 0));
        assertThat(calls)
                .containsExactly("bind way mr 0xaa 8 16 [REMOTE_READ]", "bind way mr 0xaa 0 0 []");
    }

    @Test
    void aSharedQueueGivesUpOrPostsAsAQueuePairDoes() {
        SharedReceiveQueue queue = recorder(SharedReceiveQueue.class);
        IllegalStateException failure = new IllegalStateException("the caller's own");
        assertThat(queue.postReceive(batch -> batch.receive(REGION.slice(8, 16)))).isTrue();
        assertThatThrownBy(
                        () ->
                                queue.postReceive(
                                        batch -> {
                                            throw failure;
                                        }))
                .isSameAs(failure);
        assertThat(calls)
                .containsExactly(
                        "receives", "receive", "local mr 0xaa 8 16", "post", "receives", "abort");
    }

    @Test
    void pieceAfterPieceOfAReceive() {
        receives.receive().local(REGION.slice(0, 4)).local(REGION.slice(8, 16));
        assertThat(calls).containsExactly("receive", "local mr 0xaa 0 4", "local mr 0xaa 8 16");
    }

    @Test
    void aReceiveIntoASliceIsAReceiveAndAPiece() {
        receives.receive(REGION.slice(8, 16));
        assertThat(calls).containsExactly("receive", "local mr 0xaa 8 16");
    }

    @Test
    void aBatchThatItsCallerCouldNotFillIsGivenUp() {
        QueuePair pair = recorder(QueuePair.class);
        IllegalStateException failure = new IllegalStateException("the caller's own");
        assertThatThrownBy(
                        () ->
                                pair.post(
                                        batch -> {
                                            batch.send();
                                            throw failure;
                                        }))
                .isSameAs(failure);
        assertThatThrownBy(
                        () ->
                                pair.postReceive(
                                        batch -> {
                                            throw failure;
                                        }))
                .isSameAs(failure);
        assertThat(calls).containsExactly("sends", "send", "abort", "receives", "abort");
    }

    @Test
    void aFilledBatchIsPostedAndItsAnswerHandedOn() {
        QueuePair pair = recorder(QueuePair.class);
        assertThat(pair.post(SendBatch::send)).isTrue();
        assertThat(pair.postReceive(ReceiveBatch::receive)).isTrue();
        assertThat(calls).containsExactly("sends", "send", "post", "receives", "receive", "post");
    }

    /// Something that is only named in calls.
    private static <T> T named(Class<T> type) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (proxy, method, arguments) -> "way"));
    }

    /// Records the abstract methods that are called, and runs the default ones as they are.
    private <T> T recorder(Class<T> type) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (proxy, method, arguments) -> {
                            if (method.isDefault()) {
                                return InvocationHandler.invokeDefault(proxy, method, arguments);
                            }
                            StringBuilder call = new StringBuilder(method.getName());
                            if (arguments != null) {
                                Arrays.asList(arguments).forEach(it -> call.append(" ").append(it));
                            }
                            calls.add(call.toString());
                            return switch (method.getName()) {
                                case "sends" -> sends;
                                case "receives" -> receives;
                                case "post" -> true;
                                case "abort" -> null;
                                default -> proxy;
                            };
                        }));
    }
}
