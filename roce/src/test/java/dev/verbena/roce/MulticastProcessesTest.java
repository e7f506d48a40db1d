package dev.verbena.roce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Gid;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Programs that are in multicast groups, on one machine.
@Tag("long")
@Timeout(300)
class MulticastProcessesTest {
    private static final Gid BLOCK = TestAddresses.groups(Gid.parse("127.0.0.1"));
    private static final String GROUP = BLOCK.toString();
    private static final String OTHER = new Gid(BLOCK.high(), BLOCK.low() + 1).toString();

    private final List<LineControlledProcess> started = new ArrayList<>();

    @AfterEach
    void endAll() {
        started.forEach(LineControlledProcess::close);
    }

    private LineControlledProcess start(String place) throws IOException {
        LineControlledProcess process =
                new LineControlledProcess("roce://" + place, "p" + started.size());
        started.add(process);
        return process.ready();
    }

    @Test
    void membersAtSeveralAddressesHaveACopyEachUntilTheyLeave() throws IOException {
        membersHaveACopyEach(
                start(TestAddresses.ipv4()),
                start(TestAddresses.ipv4()),
                start(TestAddresses.ipv4()));
    }

    @Test
    void membersAtOneAddressHaveACopyEachUntilTheyLeave() throws IOException {
        String place = TestAddresses.ipv4();
        membersHaveACopyEach(start(place), start(place), start(place));
    }

    @Test
    void memberByTheChannelsOfTheJdkIsOneAsWell() throws IOException {
        membersHaveACopyEach(
                start(TestAddresses.ipv4()),
                start(TestAddresses.ipv4() + "?path=portable"),
                start(TestAddresses.ipv4()));
    }

    private static void membersHaveACopyEach(
            LineControlledProcess sender,
            LineControlledProcess stays,
            LineControlledProcess leaves) {
        assertThat(stays.ask("join " + GROUP)).isEqualTo("joined");
        assertThat(leaves.ask("join " + GROUP)).isEqualTo("joined");
        assertThat(leaves.ask("join " + OTHER)).isEqualTo("joined");

        sender.ask("tell " + GROUP + " both");
        assertThat(stays.ask("hear")).isEqualTo("both at " + GROUP);
        assertThat(leaves.ask("hear")).isEqualTo("both at " + GROUP);
        sender.ask("tell " + OTHER + " one");
        assertThat(leaves.ask("hear")).isEqualTo("one at " + OTHER);

        assertThat(leaves.ask("leave " + GROUP)).isEqualTo("left");
        sender.ask("tell " + GROUP + " who-stays");
        assertThat(stays.ask("hear")).isEqualTo("who-stays at " + GROUP);
        // One copy of each, and nothing of the other group, nor after leaving.
        assertThat(stays.ask("hear")).isEqualTo("silence");
        assertThat(leaves.ask("hear")).isEqualTo("silence");
        assertThat(sender.ask("hear")).isEqualTo("silence");

        leaves.kill();
        assertThat(stays.ask("tell " + GROUP + " itself")).isEqualTo("told");
        assertThat(stays.ask("hear")).isEqualTo("silence");
        assertThat(sender.ask("join " + GROUP)).isEqualTo("joined");
        assertThat(stays.ask("tell " + GROUP + " back")).isEqualTo("told");
        assertThat(sender.ask("hear")).isEqualTo("back at " + GROUP);
    }
}
