package dev.verbena.job.goal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.job.replay.Job;
import dev.verbena.job.replay.NodeKind;
import dev.verbena.job.replay.Schedule;
import dev.verbena.job.replay.TraceException;
import java.io.IOException;
import java.io.StringReader;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GoalTextTest {
    private static final String JOB =
            """
            // a comment
            num_ranks 3
            rank 0 {
            l1: calc 1500
            l2: send 4096b to 1 tag 7 cpu 2 nic 3 /* over
            two lines */
            calc 5 cpu 1
            l2 requires l1
            }

            rank 1 {
            calc: recv 4096b from 0 tag 7
            l: recv 10b from -1 tag -1
            m: recv 10b from 4294967295 tag 4294967295
            l irequires calc
            }
            rank 2
            {
            }
            """;

    private static Job read(String text) throws IOException {
        return GoalText.read("job.goal", new StringReader(text));
    }

    private static String in(String statement) {
        return "num_ranks 2\nrank 0 {\na: calc 1\n" + statement + "\n}\nrank 1 {\n}\n";
    }

    @Test
    void everyStatementIsRead() throws IOException {
        Job job = read(JOB);

        assertThat(job.ranks()).hasSize(3);
        Schedule first = job.ranks().get(0);
        assertThat(first.nodes()).isEqualTo(3);
        assertThat(first.text(0)).isEqualTo("calc of 1,500 ns");
        assertThat(first.text(1)).isEqualTo("send of 4,096 bytes to rank 1, tag 7");
        assertThat(first.unit(1)).isEqualTo(2);
        assertThat(first.nic(1)).isEqualTo(3);
        assertThat(first.unit(2)).isEqualTo(1);
        assertThat(first.place(2)).isEqualTo("rank 0, line 7");
        Schedule second = job.ranks().get(1);
        assertThat(second.kind(0)).isEqualTo(NodeKind.RECEIVE);
        assertThat(second.text(1)).isEqualTo("receive of 10 bytes from any rank, tag any");
        assertThat(second.text(2)).isEqualTo(second.text(1));
        assertThat(job.ranks().get(2).nodes()).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            quoteCharacter = '`',
            value = {
                "calc 1 nic 2 => line 4: 'nic' does not belong here",
                "calc 1x => line 4: '1x' is not a number",
                "calc 99999999999999999999 => line 4: 99999999999999999999 is too large",
                "calc 1000000000000001 => rank 0, line 4: a calc of 1000000000000001 ns is too",
                "send 8 to 1 => line 4: '8' where a number of bytes belongs, such as 4096b",
                "send 8b to 2 => rank 0, line 4: there is no rank 2: num_ranks is 2",
                "send 8b to -1 => rank 0, line 4: a send goes to one rank, not to any",
                "send 8b to 1 tag -1 => rank 0, line 4: a send has a tag of its own, not any",
                "send 8b to 1 tag 4294967296 => rank 0, line 4: tag 4294967296: use 0 to",
                "send 8b to 1 cpu 256 => rank 0, line 4: cpu 256: use 0 to 255",
                "send 8b to 1 cpu 1 tag 2 => line 4: 'tag' does not belong here",
                "send 2000000000000b to 1 => rank 0, line 4: 2000000000000 bytes are too many",
                "recv 8b to 1 => line 4: 'to' where 'from' belongs",
                "recv 8b from -2 => rank 0, line 4: no number is negative but -1",
                "b: a requires a => rank 0, line 4: 'a' is no operation",
                "a: calc 2 => rank 0, line 4: label 'a' is there twice",
                "2a: calc 2 => rank 0, line 4: label '2a' does not start with a letter",
                "a requires b => rank 0, line 4: label 'b' is not defined before",
                "a needs a => rank 0, line 4: 'needs': use requires or irequires",
                "a requires a => rank 0, line 3: it waits for nodes that wait for it",
                "a irequires a => rank 0, line 3: it waits for nodes that wait for it",
                "calc 1 ; => line 4: an unexpected character, U+003B",
                "/ => line 4: a '/' that begins no comment",
                "/* => line 4: a comment without an end",
                "{ => line 4: '{' where a word belongs",
                "a => line 4: the end of the line where a word belongs",
            })
    void aMalformedLineIsNamed(String statement, String expected) {
        assertThatThrownBy(() -> read(in(statement)))
                .isInstanceOf(TraceException.class)
                .hasMessageStartingWith("job.goal, ")
                .hasMessageContaining(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            quoteCharacter = '`',
            value = {
                "`` => line 1: the end of the file where 'num_ranks' belongs",
                "num_ranks 0 => line 1: num_ranks 0: use 1 to 65,536",
                "num_ranks 65537 => line 1: num_ranks 65537: use 1 to 65,536",
                "num_ranks 2|rank 0 {|} => line 3: rank 1 of 2 is missing: the file ends",
                "num_ranks 2|rank 1 {|} => line 2: rank 1 where rank 0 belongs",
                "num_ranks 1|rank 0 {|}|rank 1 {|} => line 4: text after rank 0, the last",
                "num_ranks 1|rank 0 {|calc 1 => rank 0, line 3: the file ends within the rank",
            })
    void aFileWithTheWrongRanksIsRefused(String text, String expected) {
        assertThatThrownBy(() -> read(text.replace('|', '\n')))
                .isInstanceOf(TraceException.class)
                .hasMessageContaining(expected);
    }

    @Test
    void aCycleOverSeveralNodesIsNamedAtItsFirstNode() {
        String text =
                in("b: calc 1\nc: calc 1\nd: calc 1\nc requires b\nb irequires d\nd requires c");

        assertThatThrownBy(() -> read(text))
                .isInstanceOf(TraceException.class)
                .hasMessage("job.goal, rank 0, line 4: it waits for nodes that wait for it");
    }

    @Test
    void aFileCutOffAnywhereIsRefusedOrWhole() {
        for (int length = 0; length < JOB.length() - 2; length++) {
            String cut = JOB.substring(0, length);
            assertThatThrownBy(() -> read(cut))
                    .as("%d characters", length)
                    .isInstanceOf(TraceException.class);
        }
    }

    @Test
    void changedCharactersNeverEndInAnotherException() throws IOException {
        RandomGenerator random = new SplittableRandom(25);
        for (int run = 0; run < 20_000; run++) {
            StringBuilder text = new StringBuilder(JOB);
            for (int i = random.nextInt(1, 4); i > 0; i--) {
                int at = random.nextInt(text.length());
                text.setCharAt(at, "0 9al:{}\n-/*b\u0000\u00FF".charAt(random.nextInt(15)));
            }
            try {
                assertThat(read(text.toString()).ranks()).isNotEmpty();
            } catch (TraceException refused) {
                assertThat(refused.getMessage()).startsWith("job.goal, ").doesNotContain("\n");
            }
        }
    }
}
