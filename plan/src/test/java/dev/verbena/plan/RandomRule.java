package dev.verbena.plan;

import java.util.List;
import java.util.SplittableRandom;

/// Inputs by chance, of which most make a plan.
final class RandomRule {
    private static final List<Integer> RADICES =
            List.of(8, 12, 16, 24, 32, 36, 40, 48, 64, 128, 254);
    private static final List<Integer> RATES = List.of(100, 200, 400, 800);
    private static final List<String> RATIOS = List.of("1", "1", "1.5", "2", "3", "0.5", "7");
    private static final List<Integer> NICS = List.of(1, 1, 2, 3, 4, 8, 8);

    private RandomRule() {}

    /// @param most hosts
    static String of(SplittableRandom random, int most) {
        int nics = pick(random, NICS);
        double size = 8 * Math.pow(most / 8.0, random.nextDouble());
        StringBuilder rule = new StringBuilder();
        rule.append("fabric=").append(random.nextBoolean() ? "ib" : "roce");
        rule.append(" nodes=").append(Math.max(2, Math.round(size / nics)));
        rule.append(" nics-per-node=").append(nics);
        rule.append(" radix=").append(pick(random, RADICES));
        rule.append(" rate=").append(pick(random, RATES));
        rule.append(" layout=").append(pick(random, List.of(Layout.values())).word());
        rule.append(" oversubscription=").append(pick(random, RATIOS));
        rule.append(" spine-oversubscription=").append(pick(random, RATIOS));
        if (random.nextInt(4) == 0) {
            rule.append(" management-ports=").append(1 + random.nextInt(4));
        }
        if (random.nextInt(4) == 0) {
            rule.append(" reserved-ports=").append(1 + random.nextInt(2));
        }
        return rule.toString();
    }

    private static <T> T pick(SplittableRandom random, List<T> from) {
        return from.get(random.nextInt(from.size()));
    }
}
