package dev.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FlowFileTest {
    private static List<Flow> flows(String text) {
        return FlowFile.parse(text.lines().toList()).flows();
    }

    @Test
    void aFlowWithoutATriggerStartsAtItsTime() {
        FlowFile file =
                FlowFile.parse(
                        """
                        # A comment.
                        Nodes 8
                        Connections 2
                        0->1 id 1 start 5000 size 100
                        2->3 id 2 size 200
                        """
                                .lines()
                                .toList());

        assertThat(file.nodes()).isEqualTo(8);
        assertThat(file.flows())
                .containsExactly(Flow.of(0, 1, 100).startingAt(5000), Flow.of(2, 3, 200));
    }

    @Test
    void aBarrierStartsAllThatWaitWhenItWasFiredSoOften() {
        List<Flow> flows =
                flows(
                        """
                        0->1 size 100 send_done_trigger 7
                        2->3 size 100 send_done_trigger 7
                        4->5 size 100 recv_done_trigger 7
                        6->7 trigger 7 size 100
                        7->6 trigger 7 size 100
                        trigger id 7 barrier count 3
                        """);

        After all = new After(List.of(0, 1), List.of(2), 3);
        assertThat(flows.subList(3, 5)).allMatch(it -> it.after().equals(all));
    }

    @Test
    void aOneshotStartsAllThatWaitWhenItIsFiredFirst() {
        String text =
                """
                0->1 size 100 send_done_trigger 7
                2->3 size 100 send_done_trigger 7
                4->5 trigger 7 size 100
                5->4 trigger 7 size 100
                """;
        After first = new After(List.of(0, 1), List.of(), 1);

        assertThat(flows(text + "trigger id 7 oneshot\n").subList(2, 4))
                .allMatch(it -> it.after().equals(first));
        assertThat(flows(text)).isEqualTo(flows(text + "trigger id 7 oneshot\n"));
    }

    @Test
    void aMultishotStartsOneThatWaitsEachTime() {
        List<Flow> flows =
                flows(
                        """
                        trigger id 7 multishot
                        0->1 start 0 size 100 send_done_trigger 7
                        1->2 trigger 7 size 100 send_done_trigger 7
                        2->3 trigger 7 size 100 send_done_trigger 7
                        """);

        assertThat(flows.get(1).after()).isEqualTo(new After(List.of(0, 1, 2), List.of(), 1));
        assertThat(flows.get(2).after()).isEqualTo(new After(List.of(0, 1, 2), List.of(), 2));
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            value = {
                "0->1 size 9 send_done_trigger 7;2->3 trigger 7 size 9;trigger id 7 barrier count 2"
                        + " => line 3, 'trigger id 7 barrier count 2': trigger 7 is fired once,"
                        + " not 2: use count 1 to 1",
                "0->1 size 9 send_done_trigger 7;2->3 trigger 7 size 9;trigger id 7 barrier count 0"
                        + " => line 3, 'trigger id 7 barrier count 0': trigger 7 is fired once",
                "0->1 size 9 send_done_trigger 7;2->3 trigger 7 size 9;trigger id 7 barrier"
                        + " => line 3, 'trigger id 7 barrier': a barrier has a count",
                "0->1 size 9 send_done_trigger 7;2->3 trigger 7 size 9;trigger id 7 oneshot count 1"
                        + " => line 3, 'trigger id 7 oneshot count 1': a barrier has a count",
                "0->1 size 9 send_done_trigger 7;2->3 trigger 7 size 9;3->2 trigger 7 size 9;"
                        + "trigger id 7 multishot => line 4, 'trigger id 7 multishot': trigger 7"
                        + " is fired once, and starts one of 2 flows each time",
                "0->1 size 9 send_done_trigger 7;trigger id 7 oneshot"
                        + " => line 2, 'trigger id 7 oneshot': no flow waits for trigger 7",
                "0->1 size 9 send_done_trigger 7 => line 1, '0->1 size 9 send_done_trigger 7':"
                        + " no flow waits for trigger 7",
                "0->1 size 9;2->3 trigger 7 size 9;trigger id 7 oneshot"
                        + " => line 3, 'trigger id 7 oneshot': no flow fires trigger 7",
                "trigger id 7 oneshot => line 1, 'trigger id 7 oneshot': no flow waits",
                "0->1 size 9 send_done_trigger 7;2->3 trigger 7 size 9;trigger id 7 oneshot;"
                        + "trigger id 7 oneshot => line 4, 'trigger id 7 oneshot':"
                        + " trigger 7 is in line 3 already",
                "0->1 size 9 send_done_trigger 7;2->3 trigger 7 size 9;trigger id 7"
                        + " => line 3, 'trigger id 7': no kind: use oneshot",
                "trigger id 7 oneshot barrier => line 1, 'trigger id 7 oneshot barrier': two kinds",
                "trigger oneshot => line 1, 'trigger oneshot': trigger 0: use 1 or more",
                "trigger id 7 twice => line 1, 'trigger id 7 twice': 'twice' is unknown",
                "trigger id => line 1, 'trigger id': no number after 'id'",
                "trigger id x oneshot => line 1, 'trigger id x oneshot': 'x' after 'id' is not a",
                "0->1 trigger 1 send_done_trigger 2 size 9;1->0 trigger 2 send_done_trigger 1"
                        + " size 9 => line 1, '0->1 trigger 1 send_done_trigger 2 size 9':"
                        + " it never starts",
                "0->1 size 9 send_done_trigger 0 => line 1, '0->1 size 9 send_done_trigger 0':"
                        + " trigger 0: use 1 or more",
                "0->1 size 9 start 5 trigger 7 => line 1, '0->1 size 9 start 5 trigger 7':"
                        + " a time and a trigger both start it",
                "0->1 size 9 size 8 => line 1, '0->1 size 9 size 8': 'size' is there twice",
                "0->1 size => line 1, '0->1 size': no number after 'size'",
                "0->x size 9 => line 1, '0->x size 9': 'x' is not a host",
                "0->1 prio 3 size 9 => line 1, '0->1 prio 3 size 9': 'prio' is unknown",
                "Nodes 4;0->4 size 9 => line 2, '0->4 size 9': no host 4: the file has 4 nodes",
                "0->0 size 9 => line 1, '0->0 size 9': a flow from host 0 to host 0",
                "Failures 1 => line 1, 'Failures 1': not a flow, and no other known line",
            })
    void aLineThatDoesNotFitIsRefusedWithItsNumber(String text, String reason) {
        assertThatThrownBy(() -> flows(text.replace(';', '\n')))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(reason);
    }

    @Test
    void moreEndsThanThereAreStartNothing() {
        assertThatThrownBy(() -> new After(List.of(0, 1), List.of(), 3))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("after 3 of 2 ends: use 1 to 2");
    }
}
