package dev.verbena.roce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import java.time.Duration;
import java.util.BitSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Packets that are lost because the device was asked to lose some.
@Timeout(60)
@Tag("sockets")
class LossTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int BYTES = 1 << 18;

    @Test
    void theSeedDecidesWhichPacketsAreLost() {
        BitSet lost = lost(0.02, 7);

        assertThat(lost).isEqualTo(lost(0.02, 7)).isNotEqualTo(lost(0.02, 8));
        assertThat(lost.cardinality()).isBetween(1_800, 2_200);
        assertThat(lost(0, 7).cardinality()).isZero();
        assertThat(lost(1, 7).cardinality()).isEqualTo(100_000);
    }

    private static BitSet lost(double probability, long seed) {
        Losses losses = new Losses(new Loss(probability, seed));
        BitSet lost = new BitSet();
        for (int i = 0; i < 100_000; i++) {
            lost.set(i, losses.takesNext());
        }
        assertThat(losses.packets()).isEqualTo(lost.cardinality());
        return lost;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "progress=thread",
                "progress=caller",
                "share=off",
                "path=portable",
                "recovery=selective"
            })
    void everyByteArrivesOverALossyPath(String options) {
        String uri = "roce://%s?" + options + "&loss=0.02,";
        try (Device left = Devices.open(uri.formatted(TestAddresses.ipv4()) + 7);
                Device right = Devices.open(uri.formatted(TestAddresses.ipv4()) + 8)) {
            ProtectionDomain here = left.protectionDomain();
            ProtectionDomain there = right.protectionDomain();
            CompletionQueue done = left.completionQueue(16);
            MemoryRegion source = here.allocate(BYTES);
            MemoryRegion target = there.allocate(BYTES, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
            QueuePair pair = here.queuePair(QueuePairType.RC, it -> it.completions(done));
            CompletionQueue arrived = right.completionQueue(16);
            QueuePair peer = there.queuePair(QueuePairType.RC, it -> it.completions(arrived));
            pair.connect(peer.endpoint());
            peer.connect(pair.endpoint());

            for (int i = 1; i <= 20 || (i <= 2_000 && lost(left) == 0); i++) {
                source.segment().fill((byte) i);
                pair.post(batch -> batch.write(source.slice(), target.remote()).signaled());
                await(done, right, options);
                assertThat(source.segment().mismatch(target.segment())).isEqualTo(-1);
            }

            assertThat(lost(left)).isPositive();
            assertThat(lost(right)).isPositive();
            boolean isSelective = options.contains("selective");
            assertThat(count(left, "rcvd_sacks") > 0).isEqualTo(isSelective);
            assertThat(count(right, "resp_early_placed") > 0).isEqualTo(isSelective);
        }
    }

    private static long lost(Device device) {
        return count(device, "socket_rx_lost_on_purpose");
    }

    private static long count(Device device, String name) {
        return device.counters().getOrDefault(name, -1L);
    }

    /// Where the callers drive the devices, the passive one needs a call as well.
    private static void await(CompletionQueue done, Device passive, String options) {
        long endNs = System.nanoTime() + PATIENCE.toNanos();
        boolean isDriven = !options.contains("caller");
        int found = 0;
        while (found == 0 && System.nanoTime() < endNs) {
            if (!isDriven) {
                passive.progress();
            }
            Duration slice = isDriven ? PATIENCE : Duration.ofNanos(100_000);
            found = done.await(slice, it -> assertThat(it.isSuccess()).isTrue());
        }
        assertThat(found).isOne();
    }
}
