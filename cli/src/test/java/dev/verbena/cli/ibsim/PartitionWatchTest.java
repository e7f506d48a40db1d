package dev.verbena.cli.ibsim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.subnet.ManagerSettings;
import dev.verbena.subnet.RouteRunner;
import dev.verbena.subnet.SubnetManager;
import dev.verbena.subnet.state.SubnetState;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("command")
final class PartitionWatchTest {
    private static final String ONE = "Default=0x7fff : ALL=full;\n";
    private static final String TWO = ONE + "a=0x0001 : ALL=full;\n";

    private final SubnetState state = new SubnetState();
    private final SubnetManager manager =
            new SubnetManager(
                    ManagerSettings.DEFAULT,
                    RouteRunner.IN_PLACE,
                    state,
                    (command, applied) -> applied.accept(state.apply(command)));
    private final StringWriter said = new StringWriter();
    @TempDir private Path place;

    private int partitions() {
        return state.partitions().all().size();
    }

    @Test
    void aReloadTakesAllOfAFileOrNothing() throws Exception {
        Path file = Files.writeString(place.resolve("p.conf"), ONE);
        PartitionWatch watch = new PartitionWatch(file, manager, new PrintWriter(said));
        assertThat(partitions()).isEqualTo(1);
        Files.writeString(file, TWO);
        watch.look();
        assertThat(partitions()).as("before it is time to look").isEqualTo(1);
        watch.reload();
        watch.look();
        assertThat(partitions()).isEqualTo(2);
        Files.writeString(file, TWO + "b=0x0002 : nonsense=;\n");
        watch.reload();
        watch.look();
        assertThat(partitions()).isEqualTo(2);
        assertThat(said.toString()).contains("p.conf").contains("line 3").contains("stay");
        Files.delete(file);
        watch.reload();
        watch.look();
        assertThat(partitions()).isEqualTo(2);
        assertThat(said.toString()).contains("not read");
    }
}
