package dev.verbena.easy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.testkit.junit.RdmaTest;
import dev.verbena.testkit.junit.RdmaThreads;
import dev.verbena.verbs.Device;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// The same programs on hosts of a simulated network.
class EasyOnFabricTest {
    @RdmaTest(fabric = "kind=ib&radix=8", seeds = 3)
    void runsOnInfiniBand(Device left, Device right, RdmaThreads threads) throws IOException {
        work(left, right, threads);
    }

    @RdmaTest(fabric = "kind=roce&radix=8", seeds = 3)
    void runsOnEthernet(Device left, Device right, RdmaThreads threads) throws IOException {
        work(left, right, threads);
    }

    private static void work(Device left, Device right, RdmaThreads threads) throws IOException {
        try (Two two = new Two(left, right, threads)) {
            ExportedMemory owned = two.rightNode.export("table", 1 << 16);
            VersionedCell.Writer writer = VersionedCell.writer(owned, 0, 20_000);
            byte[] value = new byte[20_000];
            Thread server =
                    threads.start(
                            "server",
                            () ->
                                    two.right.serve(
                                            it -> {
                                                value[value.length - 1] = it[0];
                                                writer.write(MemorySegment.ofArray(value));
                                                return it;
                                            }));
            VersionedCell cell = new VersionedCell(two.left.memory("table"), 0, 20_000);
            byte[] seen = new byte[20_000];
            for (byte i = 1; i <= 20; i++) {
                assertThat(two.left.request(new byte[] {i})).containsExactly(i);
                assertThat(cell.read(MemorySegment.ofArray(seen), Two.LIMIT)).isEqualTo(i);
                assertThat(seen[seen.length - 1]).isEqualTo(i);
            }
            two.left.close();
            threads.join(server);
        }
    }
}
