package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.wire.capture.LinkType;
import dev.verbena.wire.capture.PcapngWriter;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The wire of `verbena demo` between two devices of this process.
@Tag("command")
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class LossyWireTest {
    private static final String FIRST = "127.0.0.51";
    private static final String OPTIONS = "?gso=off&mtu=1024";
    private static final int BYTES = 1 << 15;

    @TempDir private Path folder = Path.of("");

    private DemoPackets write(Set<Integer> chosen) throws IOException {
        Path file = folder.resolve("wire.pcapng");
        try (LossyWire wire = new LossyWire(InetAddress.ofLiteral(FIRST));
                DemoSide first = new DemoSide("roce://" + FIRST + OPTIONS, BYTES);
                DemoSide second = new DemoSide(wire.secondUri() + OPTIONS, BYTES);
                PcapngWriter capture =
                        PcapngWriter.on(
                                FileChannel.open(
                                        file,
                                        StandardOpenOption.CREATE_NEW,
                                        StandardOpenOption.WRITE),
                                LinkType.ETHERNET)) {
            first.connect(wire.seenByFirst(second.endpoint()));
            second.connect(wire.seenBySecond(first.endpoint()));
            first.fill(1);
            wire.lose(chosen, capture);
            first.writeNs(second.memory());
            wire.lose(Set.of(), null);
            assertThat(second.checksum()).isEqualTo(first.checksum());
            assertThat(first.counters().getOrDefault("req_retransmits", 0L) > 0)
                    .isEqualTo(!chosen.isEmpty());
            capture.flush();
            return new DemoPackets(file, FIRST, wire.lost());
        }
    }

    @Test
    void withoutLossEveryPacketPassesOnceWithARightChecksum() throws IOException {
        DemoPackets packets = write(Set.of());

        assertThat(packets.rows().stream().filter(DemoPackets.Row::isRequest)).hasSize(32);
        assertThat(packets.rows()).noneMatch(DemoPackets.Row::isLost);
        assertThat(packets.rows().getLast().number()).isEqualTo(packets.rows().size());
        assertThat(packets.again()).isZero();
        assertThat(packets.checksumsWrong()).isZero();
        assertThat(packets.checksumsRight()).isEqualTo(packets.rows().size());
    }

    @Test
    void thePacketsThatAreChosenAreLostAndSentAgain() throws IOException {
        DemoPackets packets = write(Set.of(5));

        assertThat(packets.rows().stream().filter(DemoPackets.Row::isLost)).hasSize(1);
        DemoPackets.Row lost =
                packets.rows().stream().filter(DemoPackets.Row::isLost).findFirst().orElseThrow();
        assertThat(packets.rows().stream().filter(DemoPackets.Row::isRequest).toList().get(4))
                .isEqualTo(lost);
        assertThat(packets.rows())
                .anyMatch(it -> it.isAgain() && it.psn() == lost.psn())
                .anyMatch(it -> it.isNak() && it.psn() == lost.psn());
        assertThat(packets.checksumsWrong()).isZero();
    }
}
