package dev.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.transport.carrier.CongestionSettings;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Several senders and one receiver at one switch of 40 Gb/s, which marks as published.
class DcqcnFabricTest {
    private static final long LINE = 40_000_000_000L;
    private static final long MS = 1_000_000_000;
    private static final int PACKETS = 200_000;
    private static final int HOSTS = 18;
    private static final int LEAF = HOSTS;

    private static FabricSettings settings(Marking marking) {
        FabricKind.Ethernet kind =
                ((FabricKind.Ethernet) FabricSettings.ROCE.kind()).withMarking(marking);
        return FabricSettings.ROCE
                .withCable(Cable.ofMetres(Rate.gbits(40), 20))
                .withMtu(1024)
                .withKind(kind);
    }

    /// What each of the senders has sent from one time to another.
    private static long[] shares(Fabric fabric, int flows, long fromPs, long toPs) {
        fabric.run(fromPs);
        long[] sent = new long[flows];
        for (int i = 0; i < flows; i++) {
            sent[i] = -sent(fabric, i);
        }
        fabric.run(toPs);
        for (int i = 0; i < flows; i++) {
            sent[i] += sent(fabric, i);
        }
        return sent;
    }

    private static long sent(Fabric fabric, int host) {
        return fabric.node(host).port(0).sentPackets();
    }

    private static Fabric start(int flows, FabricSettings settings, boolean controls) {
        return start(flows, settings, controls, false);
    }

    private static Fabric start(
            int flows, FabricSettings settings, boolean controls, boolean reads) {
        Fabric fabric = new Fabric(FatTree.twoTiers(9, 2, 1).topology(), settings);
        Stream stream =
                new Stream(
                        fabric,
                        it -> {
                            if (controls) {
                                it.congestion(CongestionSettings.published(LINE));
                            }
                        });
        for (int i = 0; i < flows; i++) {
            if (reads) {
                stream.read(8, i, PACKETS, 0);
            } else {
                stream.send(i, 8, 0, PACKETS, 0);
            }
        }
        return fabric;
    }

    private static long marked(Fabric fabric) {
        return ((EthernetSwitch) fabric.node(LEAF)).marked();
    }

    /// Writes of several, and reads by one of several.
    @ParameterizedTest
    @CsvSource({"2, false", "8, false", "2, true", "8, true"})
    void flowsShareALinkAlikeAndLeaveItBusyAndNobodyPauses(int flows, boolean reads) {
        Fabric fabric = start(flows, settings(Marking.PUBLISHED), true, reads);
        long measuredPs = flows * 30L * MS;
        long[] sent = shares(fabric, flows, 60 * MS, 60 * MS + measuredPs);
        long sum = LongStream.of(sent).sum();
        long packetPs =
                Rate.gbits(40)
                        .ps(fabric.settings().framing().wireBytes(12 + 1024 + 4, 1024, false));
        System.out.printf(
                "%d %s: %s packets, %.3f of the link, %,d marked, highest buffer %,d%n",
                flows,
                reads ? "reads" : "writes",
                Arrays.toString(sent),
                (double) sum * packetPs / measuredPs,
                marked(fabric),
                fabric.counts().highestBuffer());
        for (long each : sent) {
            assertThat((double) each * flows / sum).as("share of a flow").isBetween(0.9, 1.1);
        }
        assertThat((double) sum * packetPs / measuredPs).as("use of the link").isGreaterThan(0.95);
        assertThat(marked(fabric)).isPositive();
        assertThat(fabric.counts().pauses()).isZero();
    }

    @Test
    void withoutControlThereArePausesAndNoMarks() {
        Fabric fabric = start(8, settings(Marking.PUBLISHED), false);
        fabric.run(5 * MS);
        assertThat(fabric.counts().pauses()).isPositive();
        assertThat(marked(fabric)).isZero();
    }

    @Test
    void whereSwitchesDropControlSavesAlmostAllPackets() {
        FabricKind.Ethernet kind = (FabricKind.Ethernet) settings(Marking.PUBLISHED).kind();
        BufferSettings small = new BufferSettings(1_000_000, 0, 0, 0, 0, 1);
        FabricSettings lossy = settings(Marking.PUBLISHED).withKind(kind.withBuffer(small));
        Fabric without = start(8, lossy, false);
        Fabric with = start(8, lossy, true);
        without.run(50 * MS);
        with.run(50 * MS);
        System.out.printf(
                "8 flows for 50 ms, drops: %,d without control, %,d with%n",
                without.counts().drops(), with.counts().drops());
        assertThat(without.counts().drops()).isGreaterThan(100_000);
        assertThat(with.counts().drops()).isLessThan(without.counts().drops() / 100);
    }

    /// Every packet is marked for a millisecond, and there are 50 us between notifications: of the
    /// port, or of each of two queue pairs.
    @ParameterizedTest
    @CsvSource({"1, 20", "2, 40"})
    void notificationsAreCountedForThePortOrForEachQueuePair(int moderation, long expected) {
        CongestionSettings control =
                CongestionSettings.published(LINE)
                        .with("rp_min_rate", 10_000)
                        .with("np_cnp_moderation", moderation);
        Fabric fabric =
                new Incast(2, 0, settings(new Marking(0, 0, 1)), it -> it.congestion(control))
                        .fabric();
        fabric.run(MS);
        assertThat(fabric.congestion().noticesSent()).isBetween(expected - 2, expected);
    }

    @Test
    void marksGrowWithTheQueue() {
        Marking marking = new Marking(1000, 3000, 0.5);
        assertThat(marking.part(1000)).isZero();
        assertThat(marking.part(2000)).isEqualTo(0.25);
        assertThat(marking.part(3000)).isEqualTo(0.5);
        assertThat(marking.part(3001)).isEqualTo(1);
        assertThat(Marking.NONE.part(1 << 30)).isZero();
        assertThatThrownBy(() -> new Marking(2, 1, 0.5)).hasMessageContaining("2 to 1");
    }
}
