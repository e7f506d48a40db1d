package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class QueuePairAttributesTest {
    private static final Address THERE =
            new Address(7, Gid.parse("192.0.2.10"), 3, 96, 0x12345, 64, 1, 4791);

    /// How to set an attribute to something that is not its default, and how to read it.
    record Sample(Consumer<QueuePairAttributes> set, Function<QueuePairAttributes, Object> get) {}

    private static final Map<QueuePairAttribute, Sample> SAMPLES =
            new EnumMap<>(QueuePairAttribute.class);

    static {
        sample(
                QueuePairAttribute.CURRENT_STATE,
                it -> it.currentState(QueuePairState.READY_TO_SEND),
                QueuePairAttributes::currentState);
        sample(
                QueuePairAttribute.DRAIN_NOTIFY,
                it -> it.drainNotify(true),
                QueuePairAttributes::drainNotify);
        sample(
                QueuePairAttribute.ACCESS,
                it -> it.access(Set.of(Access.REMOTE_READ)),
                QueuePairAttributes::access);
        sample(
                QueuePairAttribute.PARTITION_INDEX,
                it -> it.partitionIndex(3),
                QueuePairAttributes::partitionIndex);
        sample(QueuePairAttribute.PORT, it -> it.port(2), QueuePairAttributes::port);
        sample(QueuePairAttribute.QUEUE_KEY, it -> it.queueKey(-5), QueuePairAttributes::queueKey);
        sample(QueuePairAttribute.ADDRESS, it -> it.address(THERE), QueuePairAttributes::address);
        sample(QueuePairAttribute.PATH_MTU, it -> it.pathMtu(4096), QueuePairAttributes::pathMtu);
        sample(QueuePairAttribute.TIMEOUT, it -> it.timeout(9), QueuePairAttributes::timeout);
        sample(
                QueuePairAttribute.RETRY_COUNT,
                it -> it.retryCount(2),
                QueuePairAttributes::retryCount);
        sample(QueuePairAttribute.RNR_RETRY, it -> it.rnrRetry(1), QueuePairAttributes::rnrRetry);
        sample(
                QueuePairAttribute.RECEIVE_PSN,
                it -> it.receivePsn(0xFF_FFFF),
                QueuePairAttributes::receivePsn);
        sample(
                QueuePairAttribute.READS_AS_INITIATOR,
                it -> it.readsAsInitiator(4),
                QueuePairAttributes::readsAsInitiator);
        sample(
                QueuePairAttribute.MIN_RNR_TIMER,
                it -> it.minRnrTimer(31),
                QueuePairAttributes::minRnrTimer);
        sample(
                QueuePairAttribute.SEND_PSN,
                it -> it.sendPsn(0x12_3456),
                QueuePairAttributes::sendPsn);
        sample(
                QueuePairAttribute.READS_AS_RESPONDER,
                it -> it.readsAsResponder(8),
                QueuePairAttributes::readsAsResponder);
        sample(
                QueuePairAttribute.PEER_QUEUE_PAIR,
                it -> it.peerQueuePair(0x11),
                QueuePairAttributes::peerQueuePair);
        sample(
                QueuePairAttribute.RATE_LIMIT,
                it -> it.rateLimit(400_000_000_000L),
                QueuePairAttributes::rateLimit);
    }

    private static void sample(
            QueuePairAttribute attribute,
            Consumer<QueuePairAttributes> set,
            Function<QueuePairAttributes, Object> get) {
        SAMPLES.put(attribute, new Sample(set, get));
    }

    private static Sample sample(QueuePairAttribute attribute) {
        Sample sample = SAMPLES.get(attribute);
        assertThat(sample).as("a sample of %s", attribute).isNotNull();
        return sample;
    }

    @ParameterizedTest
    @EnumSource
    void settingAnAttributeMarksThatOneOnly(QueuePairAttribute attribute) {
        QueuePairAttributes attributes = new QueuePairAttributes();
        Sample sample = sample(attribute);
        Object before = sample.get().apply(attributes);
        sample.set().accept(attributes);
        assertThat(sample.get().apply(attributes)).isNotEqualTo(before);
        assertThat(attributes.set()).containsExactly(attribute);
        assertThat(attributes.has(attribute)).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void withTakesOverWhatIsSetAndKeepsTheRest(QueuePairAttribute attribute) {
        QueuePairAttributes one = new QueuePairAttributes();
        Sample sample = sample(attribute);
        sample.set().accept(one);

        QueuePairAttributes copy = new QueuePairAttributes().with(one);
        assertThat(sample.get().apply(copy)).isEqualTo(sample.get().apply(one));
        assertThat(copy.set()).containsExactly(attribute);

        QueuePairAttributes all = new QueuePairAttributes();
        SAMPLES.values().forEach(each -> each.set().accept(all));
        all.with(new QueuePairAttributes());
        assertThat(sample.get().apply(all)).isEqualTo(sample.get().apply(one));
        assertThat(all.set()).isEqualTo(EnumSet.allOf(QueuePairAttribute.class));
    }

    @ParameterizedTest
    @EnumSource
    void codesAreTheBitsOfLibibverbs(QueuePairAttribute attribute) {
        TransitionText.Name name = TransitionText.NAMES.get(attribute);
        assertThat(name).isNotNull();
        assertThat(attribute.code()).isEqualTo(name.bit());
    }

    /// A setter and its ends; one beyond each is refused.
    record Range(
            String what,
            BiConsumer<QueuePairAttributes, Long> set,
            long least,
            long most,
            boolean isInt) {
        @Override
        public String toString() {
            return what + " " + least + " to " + most;
        }
    }

    static List<Range> ranges() {
        return List.of(
                range("partition index", QueuePairAttributes::partitionIndex, 0, 65535),
                range("port", QueuePairAttributes::port, 1, 255),
                range("timeout", QueuePairAttributes::timeout, 0, 31),
                range("retry count", QueuePairAttributes::retryCount, 0, 7),
                range("rnr retry", QueuePairAttributes::rnrRetry, 0, 7),
                range("receive psn", QueuePairAttributes::receivePsn, 0, 0xFF_FFFF),
                range("reads as initiator", QueuePairAttributes::readsAsInitiator, 0, 255),
                range("min rnr timer", QueuePairAttributes::minRnrTimer, 0, 31),
                range("send psn", QueuePairAttributes::sendPsn, 0, 0xFF_FFFF),
                range("reads as responder", QueuePairAttributes::readsAsResponder, 0, 255),
                range("peer queue pair", QueuePairAttributes::peerQueuePair, 0, 0xFF_FFFF),
                new Range("rate limit", QueuePairAttributes::rateLimit, 0, 1L << 50, false));
    }

    private static Range range(
            String what, BiConsumer<QueuePairAttributes, Integer> set, int least, int most) {
        return new Range(
                what, (it, value) -> set.accept(it, Math.toIntExact(value)), least, most, true);
    }

    @ParameterizedTest
    @MethodSource("ranges")
    void aSetterTakesItsRangeAndNothingBeyond(Range range) {
        QueuePairAttributes attributes = new QueuePairAttributes();
        range.set().accept(attributes, range.least());
        range.set().accept(attributes, range.most());
        long lowest = range.isInt() ? Integer.MIN_VALUE : Long.MIN_VALUE;
        long highest = range.isInt() ? Integer.MAX_VALUE : Long.MAX_VALUE;
        for (long wrong : new long[] {range.least() - 1, range.most() + 1, lowest, highest}) {
            QueuePairAttributes untouched = new QueuePairAttributes();
            assertThatThrownBy(() -> range.set().accept(untouched, wrong))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessage(
                            "queue pair attributes: %s %d is out of range; use %d to %d",
                            range.what(), wrong, range.least(), range.most());
            assertThat(untouched.set()).isEmpty();
        }
    }

    @Test
    void thePathMtuIsOneOfFiveSizes() {
        for (int mtu : new int[] {256, 512, 1024, 2048, 4096}) {
            assertThat(new QueuePairAttributes().pathMtu(mtu).pathMtu()).isEqualTo(mtu);
        }
        for (int mtu : new int[] {0, 128, 255, 257, 1500, 4095, 8192, -4096, Integer.MIN_VALUE}) {
            QueuePairAttributes untouched = new QueuePairAttributes();
            assertThatThrownBy(() -> untouched.pathMtu(mtu))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("path mtu " + mtu)
                    .hasMessageContaining("256, 512, 1024, 2048 or 4096");
            assertThat(untouched.set()).isEmpty();
        }
    }

    @Test
    void accessIsCopied() {
        EnumSet<Access> rights = EnumSet.of(Access.REMOTE_READ);
        QueuePairAttributes attributes = new QueuePairAttributes().access(rights);
        rights.add(Access.REMOTE_WRITE);
        assertThat(attributes.access()).containsExactly(Access.REMOTE_READ);
    }

    @Test
    void theTextTellsWhatIsSet() {
        assertThat(new QueuePairAttributes().timeout(3).port(1)).hasToString("[PORT, TIMEOUT]");
    }
}
