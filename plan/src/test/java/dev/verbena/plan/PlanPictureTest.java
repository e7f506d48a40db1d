package dev.verbena.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.testkit.Seed;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The picture of a plan: small, well-formed, within its frame, and with the right numbers.
class PlanPictureTest {
    private static final int BYTES_MAX = 80_000;
    private static final Pattern X = Pattern.compile(" (?:x|cx)=\"(-?[0-9.]+)\"");

    private static final Pattern TAG = Pattern.compile("<(/?)(\\w+)([^<>]*?)(/?)>");

    private static String draw(String rule) {
        String svg = PlanPicture.draw(Plans.of(rule));
        Deque<String> open = new ArrayDeque<>();
        Matcher tag = TAG.matcher(svg);
        while (tag.find()) {
            if (!tag.group(1).isEmpty()) {
                assertThat(open.pop()).isEqualTo(tag.group(2));
            } else if (tag.group(4).isEmpty()) {
                open.push(tag.group(2));
            }
            assertThat(tag.group(3).replaceAll("[\\w:-]+=\"[^\"<&]*\"", "").strip()).isEmpty();
        }
        assertThat(open).isEmpty();
        assertThat(TAG.matcher(svg).replaceAll("")).doesNotContain("<").doesNotContain(">");
        return svg;
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 16, 64, 256, 512, 1024, 2048, 4096, 131072})
    void aPictureOfAnySizeIsSmallAndInItsFrame(int gpus) {
        String svg = draw("rate=800 gpus=" + gpus);
        assertThat(svg.length()).isLessThan(2 * BYTES_MAX);
        Matcher x = X.matcher(svg);
        while (x.find()) {
            assertThat(Double.parseDouble(x.group(1))).isBetween(0.0, (double) PlanPicture.WIDTH);
        }
    }

    @Test
    void smallPlansAreShownWithoutGaps() {
        String svg = draw("nodes=16 nics-per-node=1 gpus-per-node=1 radix=8 fabric=roce");
        assertThat(svg).doesNotContain(" more").contains("spine 2").contains("leaf 4");
        assertThat(svg).contains(">16<").contains("2 from each to each");
    }

    @Test
    void largePlansAreFoldedAndSayHowMuchIsLeftOut() {
        String svg = draw("gpus=2048 fabric=ib");
        assertThat(svg).contains("64 leaves").contains("32 spines").contains("48 more leaves");
        assertThat(svg).contains("192 more nodes").contains("19 more").contains("96 switches");
        assertThat(draw("gpus=16384 fabric=ib")).contains("13 more pods").contains("256 cores");
    }

    @Test
    void whatIsShownAndWhatIsLeftOutAreAllOfThem() {
        for (int count = 1; count < 200; count++) {
            for (int most = 3; most < 20; most++) {
                var shown = Fold.of(count, most);
                boolean folded = shown.contains(Fold.GAP);
                assertThat(shown.size()).isLessThanOrEqualTo(most);
                assertThat(folded).isEqualTo(count > most);
                assertThat(shown.getLast()).isEqualTo(count - 1);
            }
        }
    }

    @Test
    void randomPlansHaveAPicture() {
        SplittableRandom random = Seed.forTest("PlanPictureTest", 3).random();
        for (int i = 0; i < Seed.campaign(100); i++) {
            String rule = RandomRule.of(random, 1 << 14);
            try {
                assertThat(draw(rule).length()).as(rule).isLessThan(BYTES_MAX);
            } catch (PlanException refused) {
                assertThat(refused).as(rule).hasMessageContaining("use ");
            }
        }
    }
}
