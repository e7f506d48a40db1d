package dev.verbena.virtual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.verbena.transport.TransportDevice;
import dev.verbena.transport.TransportOptions;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.LimitExceededException;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.NoDeviceException;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.UnsupportedException;
import dev.verbena.wire.BigEndian;
import dev.verbena.wire.Icrc;
import dev.verbena.wire.PacketView;
import dev.verbena.wire.Verdict;
import dev.verbena.wire.capture.CaptureReader;
import dev.verbena.wire.capture.CaptureStatus;
import dev.verbena.wire.capture.LinkType;
import dev.verbena.wire.capture.PcapngWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class VirtualNetworkTest {
    private static final VirtualSettings FAULTY =
            VirtualSettings.DEFAULT
                    .withLoss(0.02)
                    .withReorder(0.05)
                    .withDuplicate(0.02)
                    .withCorrupt(0.01);

    /// What a run leaves: its frames, its time, its counts.
    private record Run(ByteArrayOutputStream capture, long endNs, VirtualCounts counts) {}

    @Test
    void theSameSeedIsTheSameRunByteForByte() {
        Run one = run(FAULTY.withSeed(42), 50);
        Run other = run(FAULTY.withSeed(42), 50);

        assertThat(one.capture.toByteArray()).isEqualTo(other.capture.toByteArray());
        assertThat(one.endNs).isEqualTo(other.endNs);
        assertThat(one.counts).isEqualTo(other.counts);
        assertThat(run(FAULTY.withSeed(43), 50).capture.toByteArray())
                .isNotEqualTo(one.capture.toByteArray());
    }

    @Test
    void faultsHappenAboutAsOftenAsAsked() {
        VirtualCounts counts = run(FAULTY, 1000).counts;

        double sent = counts.sent();
        assertThat(sent).isGreaterThan(5000);
        assertThat(counts.lost() / sent).isCloseTo(0.02, within(0.005));
        assertThat(counts.reordered() / sent).isCloseTo(0.05, within(0.01));
        assertThat(counts.duplicated() / sent).isCloseTo(0.02, within(0.005));
        assertThat(counts.corrupted() / sent).isCloseTo(0.01, within(0.004));
        assertThat(counts.arrived()).isEqualTo(counts.sent() - counts.lost() + counts.duplicated());
    }

    @Test
    void aFaultDoesNotChangeWhichPacketsAnotherOnePicks() {
        Fates lossy = new Fates(VirtualSettings.DEFAULT.withLoss(0.3), new SplittableRandom(5));
        Fates both = new Fates(FAULTY.withLoss(0.3), new SplittableRandom(5));
        for (int i = 0; i < 1000; i++) {
            boolean lost = lossy.loses();
            assertThat(both.loses()).isEqualTo(lost);
            if (both.corrupts() || both.duplicates() || both.reorders()) {
                both.detourNs();
                both.bit(8);
            }
        }
    }

    @Test
    void aProgramThatOnlyPollsGetsItsCompletionThoughPacketsAreLost() {
        try (VirtualNetwork network =
                new VirtualNetwork(VirtualSettings.DEFAULT.withLoss(0.5).withSeed(3))) {
            Device left = network.open("left");
            Device right = network.open("right");
            CompletionQueue done = left.completionQueue(16);
            CompletionQueue theirs = right.completionQueue(16);
            ProtectionDomain here = left.protectionDomain();
            ProtectionDomain there = right.protectionDomain();
            MemoryRegion from = here.allocate(8);
            MemoryRegion to = there.allocate(8, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
            QueuePair near = here.queuePair(QueuePairType.RC, it -> it.completions(done));
            QueuePair far = there.queuePair(QueuePairType.RC, it -> it.completions(theirs));
            near.connect(far.endpoint());
            far.connect(near.endpoint());
            near.post(it -> it.write(from.slice(), to.remote()).signaled());

            int polls = 0;
            while (done.poll(1, it -> assertThat(it.isSuccess()).isTrue()) == 0) {
                right.progress();
                assertThat(polls++).isLessThan(10_000_000);
            }
        }
    }

    @Test
    void aRegionWithoutMemoryIsRefusedWhateverTheProgramSets() {
        try (VirtualNetwork network = new VirtualNetwork(VirtualSettings.DEFAULT)) {
            List<TransportOptions> kept = new ArrayList<>();
            Device left = network.open("left", options -> kept.add(options.carriesPhantoms(true)));
            kept.getFirst().carriesPhantoms(true);
            ProtectionDomain domain = left.protectionDomain();

            assertThatThrownBy(() -> TransportDevice.phantom(domain, 64))
                    .isInstanceOf(UnsupportedException.class)
                    .hasMessageStartingWith("protection domain 0 of left: the device transmits");
        }
    }

    @Test
    void whatOneDeviceDrawsChangesNoOther() {
        assertThat(keyOfSecond(0)).isEqualTo(keyOfSecond(10));
    }

    private static int keyOfSecond(int regionsOfFirst) {
        try (VirtualNetwork network = new VirtualNetwork(VirtualSettings.DEFAULT)) {
            Device first = network.open("first");
            for (int i = 0; i < regionsOfFirst; i++) {
                first.protectionDomain().allocate(8);
            }
            return network.open("second").protectionDomain().allocate(8).remoteKey();
        }
    }

    @Test
    void aFlippedBitNeverGetsThroughToTheQueuePair() {
        VirtualSettings corrupting = VirtualSettings.DEFAULT.withCorrupt(0.2);
        try (VirtualNetwork network = new VirtualNetwork(corrupting)) {
            Device left = network.open("left");
            Device right = network.open("right");
            new Traffic(left, right).run(100);
            network.advance(Duration.ofMillis(1));

            assertThat(network.counts().corrupted()).isGreaterThan(100);
            assertThat(dropped(left) + dropped(right)).isEqualTo(network.counts().corrupted());
        }
    }

    @Test
    void onlyWhatTakesADetourIsOvertaken() {
        assertThat(outOfSequence(VirtualSettings.DEFAULT)).isZero();
        assertThat(outOfSequence(VirtualSettings.DEFAULT.withReorder(0.2))).isGreaterThan(10);
    }

    private static long outOfSequence(VirtualSettings settings) {
        try (VirtualNetwork network = new VirtualNetwork(settings)) {
            Device right = network.open("right");
            new Traffic(network.open("left"), right, 1024).run(50);
            return right.counters().getOrDefault("out_of_sequence", 0L);
        }
    }

    @Test
    void theCaptureShowsFramesAsTheyWereSentWithTheVirtualTime() throws IOException {
        Run run = run(FAULTY, 20);
        PacketView view = new PacketView();
        Icrc icrc = new Icrc();
        long frames = 0;
        long lastNs = 0;
        try (CaptureReader reader = CaptureReader.open(channel(run.capture))) {
            while (reader.next() == CaptureStatus.PACKET) {
                Verdict verdict = view.wrapEthernet(reader.segment(), reader.at(), reader.length());
                assertThat(verdict).isEqualTo(Verdict.OK);
                assertThat(view.integrity(icrc)).isEqualTo(Verdict.OK);
                for (long at = view.payloadAt() + view.payloadLength(); at < view.icrcAt(); at++) {
                    assertThat(BigEndian.u8(view.segment(), at)).as("pad").isZero();
                }
                assertThat(reader.timestampNs()).isBetween(lastNs, run.endNs);
                lastNs = reader.timestampNs();
                frames++;
            }
            assertThat(reader.next()).isEqualTo(CaptureStatus.END);
        }
        assertThat(frames).isEqualTo(run.counts.sent());
        assertThat(lastNs).isPositive();
    }

    @Test
    void timeStandsStillWhileThereIsWorkAndJumpsWhileAllWait() {
        VirtualSettings slow = VirtualSettings.DEFAULT.withDelay(Duration.ofMillis(3));
        try (VirtualNetwork network = new VirtualNetwork(slow)) {
            Traffic traffic = new Traffic(network.open("left"), network.open("right"));
            traffic.left.post(
                    batch -> batch.write(traffic.here.slice(), traffic.there.remote()).signaled());
            while (network.turn()) {}
            assertThat(network.nowNs()).isZero();

            Traffic.awaitSuccess(traffic.done, 1);
            // There and back again.
            assertThat(network.nowNs()).isEqualTo(6_000_000);

            CompletionQueue idle = network.devices().getFirst().completionQueue(1);
            assertThat(idle.await(Duration.ofDays(1), it -> {})).isZero();
            assertThat(network.nowNs()).isEqualTo(6_000_000 + Duration.ofDays(1).toNanos());
        }
    }

    @Test
    void devicesWaitWhileTooManyPacketsAreUnderWay() {
        VirtualSettings slow = VirtualSettings.DEFAULT.withDelay(Duration.ofMillis(1));
        int pairs = 80;
        try (VirtualNetwork network = new VirtualNetwork(slow)) {
            Device left = network.open("left");
            Device right = network.open("right");
            // Each may have 1024 packets of the smallest path MTU unacknowledged.
            Traffic[] lanes = new Traffic[pairs];
            for (int i = 0; i < pairs; i++) {
                lanes[i] = new Traffic(left, right, 256);
            }
            int most = 0;
            for (Traffic lane : lanes) {
                for (int i = 0; i < 16; i++) {
                    lane.left.post(
                            it -> it.write(lane.here.slice(), lane.there.remote()).signaled());
                }
            }
            while (network.turn()) {
                most = Math.max(most, underWay(network));
            }
            assertThat(most)
                    .isBetween(VirtualNetwork.PACKETS_MAX, VirtualNetwork.PACKETS_MAX + 1000);
            for (Traffic lane : lanes) {
                Traffic.awaitSuccess(lane.done, 16);
            }
            assertThat(network.counts().lost() + network.counts().unreachable()).isZero();
        }
    }

    @Test
    void packetsToAClosedDeviceAreNotDelivered() {
        try (VirtualNetwork network = new VirtualNetwork(VirtualSettings.DEFAULT)) {
            Device right = network.open("right");
            Traffic traffic = new Traffic(network.open("left"), right);
            traffic.left.post(batch -> batch.write(traffic.here.slice(), traffic.there.remote()));
            while (network.turn()) {}
            right.close();
            network.advance(Duration.ofSeconds(10));

            assertThat(network.counts().arrived()).isZero();
            assertThat(network.counts().unreachable()).isEqualTo(network.counts().sent());
            network.open("right").close();
        }
    }

    @Test
    void aNameIsTakenOnceAndDevicesHaveALimit() {
        try (VirtualNetwork network = new VirtualNetwork(VirtualSettings.DEFAULT)) {
            Device left = network.open("left");
            assertThatThrownBy(() -> network.open("left"))
                    .isInstanceOf(NoDeviceException.class)
                    .hasMessageContaining("it is open already");
            assertThat(left.gids(1).getFirst()).hasToString("10.0.0.1");
            for (int i = 1; i < VirtualNetwork.DEVICES_MAX; i++) {
                network.open("device" + i);
            }
            assertThatThrownBy(() -> network.open("one-more"))
                    .isInstanceOf(LimitExceededException.class);
        }
    }

    @Test
    void settingsThatMakeNoSenseAreRefused() {
        assertThatThrownBy(() -> VirtualSettings.DEFAULT.withLoss(2))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessage("virtual network: loss 2.0 is no probability; use 0 to 1");
        assertThatThrownBy(() -> VirtualSettings.DEFAULT.withReorder(Double.NaN))
                .isInstanceOf(InvalidRequestException.class);
        assertThatThrownBy(() -> VirtualSettings.DEFAULT.withDelay(Duration.ofNanos(-1)))
                .isInstanceOf(InvalidRequestException.class);
    }

    @Test
    void aCaptureThatCannotBeWrittenIsToldAtTheEndAndBreaksNothing() {
        VirtualNetwork network = new VirtualNetwork(VirtualSettings.DEFAULT);
        network.capture(PcapngWriter.on(new FullChannel(), LinkType.ETHERNET));
        new Traffic(network.open("left"), network.open("right")).run(100);

        assertThatThrownBy(network::close)
                .isInstanceOf(UncheckedIOException.class)
                .hasRootCauseMessage("no space left");
        assertThat(network.devices()).isEmpty();
        network.close();
    }

    private static Run run(VirtualSettings settings, int rounds) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        VirtualNetwork network = new VirtualNetwork(settings);
        network.capture(PcapngWriter.on(Channels.newChannel(bytes), LinkType.ETHERNET));
        new Traffic(network.open("left"), network.open("right")).run(rounds);
        network.advance(Duration.ofMillis(1));
        network.close();
        return new Run(bytes, network.nowNs(), network.counts());
    }

    private static ReadableByteChannel channel(ByteArrayOutputStream bytes) {
        return Channels.newChannel(new ByteArrayInputStream(bytes.toByteArray()));
    }

    private static long dropped(Device device) {
        return device.counters().getOrDefault("rx_icrc_encapsulated", 0L)
                + device.counters().getOrDefault("rx_malformed", 0L);
    }

    private static int underWay(VirtualNetwork network) {
        VirtualCounts counts = network.counts();
        return (int) (counts.sent() - counts.arrived() - counts.unreachable());
    }

    /// Takes nothing.
    private static final class FullChannel implements WritableByteChannel {
        @Override
        public int write(ByteBuffer source) throws IOException {
            throw new IOException("no space left");
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }

    @Test
    void peersKnowMemoryByAddressesThatTheNetworkMadeUp() {
        try (VirtualNetwork network = new VirtualNetwork(VirtualSettings.DEFAULT)) {
            MemoryRegion region =
                    network.open("left").protectionDomain().allocate(64, Access.REMOTE_READ);

            assertThat(region.remote().address()).isNotEqualTo(region.segment().address());
        }
    }
}
