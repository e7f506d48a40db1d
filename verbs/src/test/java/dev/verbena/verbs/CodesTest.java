package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// The numbers that Verbena shares with libibverbs, typed a second time.
class CodesTest {
    @Test
    void accessBitsAreThoseOfLibibverbs() {
        assertThat(Access.LOCAL_WRITE.bit()).isEqualTo(1);
        assertThat(Access.REMOTE_WRITE.bit()).isEqualTo(1 << 1);
        assertThat(Access.REMOTE_READ.bit()).isEqualTo(1 << 2);
        assertThat(Access.REMOTE_ATOMIC.bit()).isEqualTo(1 << 3);
        assertThat(Access.WINDOW_BIND.bit()).isEqualTo(1 << 4);
    }

    @Test
    void aRightOfOurOwnHasABitThatLibibverbsLeavesFree() {
        int named = 0x3FF; // LOCAL_WRITE to FLUSH_PERSISTENT
        int optional = 0x3FF << 20; // for rights that a device may ignore
        assertThat(Access.INVALIDATE.bit() & (named | optional)).isZero();
        assertThat(Access.INVALIDATE.bit()).isPositive();
    }

    @Test
    void bitsOfASetAreAddedUp() {
        assertThat(Access.bits(Set.of())).isZero();
        assertThat(Access.bits(Set.of(Access.LOCAL_WRITE, Access.REMOTE_ATOMIC))).isEqualTo(9);
        int all = Access.bits(EnumSet.allOf(Access.class));
        assertThat(Integer.bitCount(all)).isEqualTo(Access.values().length);
    }

    @Test
    void queuePairStatesAreNumberedAsInLibibverbs() {
        Map<String, Integer> ours = new HashMap<>();
        for (QueuePairState state : QueuePairState.values()) {
            ours.put(state.symbol(), state.code());
        }
        assertThat(ours)
                .isEqualTo(
                        Map.of(
                                "RESET", 0, "INIT", 1, "RTR", 2, "RTS", 3, "SQD", 4, "SQE", 5,
                                "ERR", 6));
    }

    @Test
    void statesDoWhatTheirTableSays() {
        assertThat(Arrays.stream(QueuePairState.values()).filter(QueuePairState::takesReceives))
                .isEqualTo(
                        Arrays.stream(QueuePairState.values())
                                .filter(state -> state != QueuePairState.RESET)
                                .toList());
        assertThat(Arrays.stream(QueuePairState.values()).filter(QueuePairState::takesSends))
                .containsExactly(
                        QueuePairState.READY_TO_SEND,
                        QueuePairState.SEND_QUEUE_DRAINED,
                        QueuePairState.SEND_QUEUE_ERROR,
                        QueuePairState.ERROR);
        assertThat(Arrays.stream(QueuePairState.values()).filter(QueuePairState::answers))
                .containsExactly(
                        QueuePairState.READY_TO_RECEIVE,
                        QueuePairState.READY_TO_SEND,
                        QueuePairState.SEND_QUEUE_DRAINED,
                        QueuePairState.SEND_QUEUE_ERROR);
    }

    @Test
    void windowTypesAreNumberedAsInLibibverbs() {
        assertThat(WindowType.TYPE_1.code()).isEqualTo(1);
        assertThat(WindowType.TYPE_2.code()).isEqualTo(2);
        assertThat(WindowType.values()).hasSize(2);
    }

    @Test
    void eventsOfSharedReceivesAreNumberedAsInLibibverbs() {
        assertThat(AsyncEvent.Type.SHARED_RECEIVE_QUEUE_ERROR.code()).isEqualTo(14);
        assertThat(AsyncEvent.Type.SHARED_RECEIVE_LIMIT.code()).isEqualTo(15);
        assertThat(AsyncEvent.Type.LAST_WORK_REQUEST.code()).isEqualTo(16);
    }

    @Test
    void completedOperationsAreNumberedAsInLibibverbs() {
        Map<CompletedOperation, Integer> ours = new TreeMap<>();
        for (CompletedOperation operation : CompletedOperation.values()) {
            ours.put(operation, operation.code());
            assertThat(operation.isReceive()).isEqualTo(operation.name().startsWith("RECEIVE"));
        }
        assertThat(ours)
                .isEqualTo(
                        Map.of(
                                CompletedOperation.SEND, 0,
                                CompletedOperation.WRITE, 1,
                                CompletedOperation.READ, 2,
                                CompletedOperation.COMPARE_SWAP, 3,
                                CompletedOperation.FETCH_ADD, 4,
                                CompletedOperation.BIND_WINDOW, 5,
                                CompletedOperation.LOCAL_INVALIDATE, 6,
                                CompletedOperation.RECEIVE, 128,
                                CompletedOperation.RECEIVE_WRITE_IMMEDIATE, 129));
    }

    @Test
    void eventsAreNumberedAsInLibibverbsAndOursBeyondThem() {
        Map<AsyncEvent.Type, Integer> ours = new HashMap<>();
        for (AsyncEvent.Type type : AsyncEvent.Type.values()) {
            ours.put(type, type.code());
        }
        assertThat(ours.remove(AsyncEvent.Type.RECEIVER_NOT_READY)).isGreaterThan(0xFF);
        assertThat(ours)
                .isEqualTo(
                        Map.ofEntries(
                                Map.entry(AsyncEvent.Type.COMPLETION_QUEUE_ERROR, 0),
                                Map.entry(AsyncEvent.Type.QUEUE_PAIR_FATAL, 1),
                                Map.entry(AsyncEvent.Type.QUEUE_PAIR_REQUEST_ERROR, 2),
                                Map.entry(AsyncEvent.Type.QUEUE_PAIR_ACCESS_ERROR, 3),
                                Map.entry(AsyncEvent.Type.COMMUNICATION_ESTABLISHED, 4),
                                Map.entry(AsyncEvent.Type.SEND_QUEUE_DRAINED, 5),
                                Map.entry(AsyncEvent.Type.DEVICE_FATAL, 8),
                                Map.entry(AsyncEvent.Type.PORT_ACTIVE, 9),
                                Map.entry(AsyncEvent.Type.PORT_ERROR, 10),
                                Map.entry(AsyncEvent.Type.LID_CHANGE, 11),
                                Map.entry(AsyncEvent.Type.PARTITION_KEY_CHANGE, 12),
                                Map.entry(AsyncEvent.Type.SUBNET_MANAGER_CHANGE, 13),
                                Map.entry(AsyncEvent.Type.SHARED_RECEIVE_QUEUE_ERROR, 14),
                                Map.entry(AsyncEvent.Type.SHARED_RECEIVE_LIMIT, 15),
                                Map.entry(AsyncEvent.Type.LAST_WORK_REQUEST, 16),
                                Map.entry(AsyncEvent.Type.CLIENT_REREGISTER, 17),
                                Map.entry(AsyncEvent.Type.GID_CHANGE, 18)));
    }

    @Test
    void queuePairTypesAndLinkLayersAreNumberedAsInLibibverbs() {
        assertThat(Arrays.stream(QueuePairType.values()).map(QueuePairType::code))
                .containsExactly(2, 3, 4);
        assertThat(Arrays.stream(LinkLayer.values()).map(LinkLayer::code)).containsExactly(1, 2);
    }

    @Test
    void portStatesAreNumberedAsInManagementDatagrams() {
        assertThat(Arrays.stream(PortState.values()).map(PortState::code))
                .containsExactly(1, 2, 3, 4, 5);
    }
}
