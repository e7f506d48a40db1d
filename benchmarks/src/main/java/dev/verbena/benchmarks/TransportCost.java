package dev.verbena.benchmarks;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Prints what writes between two devices back to back cost, beside a plain copy of the same bytes.
public final class TransportCost {
    private TransportCost() {}

    public static void main(String[] arguments) {
        BackToBack pair = new BackToBack(1 << 20);
        for (int r = 0; r < 8; r++) {
            double[] ratios = new double[2000];
            double[] us = new double[2000];
            for (int i = 0; i < ratios.length; i++) {
                long a = System.nanoTime();
                MemorySegment.copy(pair.source.segment(), 0, pair.target.segment(), 0, 1 << 20);
                long b = System.nanoTime();
                pair.write(1 << 20);
                long c = System.nanoTime();
                ratios[i] = (b - a) / (double) (c - b);
                us[i] = (c - b) / 1e3;
            }
            Arrays.sort(ratios);
            Arrays.sort(us);
            long t = System.nanoTime();
            for (int i = 0; i < 1_000_000; i++) {
                pair.write(8);
            }
            double single = (System.nanoTime() - t) / 1e6;
            t = System.nanoTime();
            for (int i = 0; i < 50_000; i++) {
                pair.writeBatch(32, 8);
            }
            double batched = (System.nanoTime() - t) / 1.6e6;
            t = System.nanoTime();
            for (int i = 0; i < 1_000_000; i++) {
                pair.send(8);
            }
            double send = (System.nanoTime() - t) / 1e6;
            System.out.printf(
                    "1 MiB ratio %.3f %.1f us; 8 B write %.0f ns, batched %.0f ns, send %.0f ns%n",
                    ratios[1000], us[1000], single, batched, send);
        }
    }
}
