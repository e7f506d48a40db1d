package dev.verbena.cli;

import java.nio.ByteBuffer;

/// The numbers that perftest's programs exchange after a bandwidth test: five, each swapped on its
/// own. Those of a server whose client alone sends mean nothing.
final class PerftestResult {
    private static final double MIB = 1 << 20;
    private static final double GIGABIT = 125e6;
    private static final double MILLION = 1e6;

    private PerftestResult() {}

    /// Sends the result of this side, and returns that of the client, which is the one that counts.
    static PerfResult swap(
            PerftestExchange exchange,
            PerfResult ours,
            boolean inGigabits,
            PerftestExchange.Work work) {
        double unit = inGigabits ? GIGABIT : MIB;
        long[] numbers = new long[5];
        if (ours instanceof PerfResult.Bandwidth it) {
            numbers[0] = it.bytes();
            numbers[1] = it.messages();
            numbers[2] = Double.doubleToLongBits(it.peak() / unit);
            numbers[3] = Double.doubleToLongBits(it.average() / unit);
            numbers[4] = Double.doubleToLongBits(it.rate() / MILLION);
        }
        for (int i = 0; i < numbers.length; i++) {
            byte[] bytes = ByteBuffer.allocate(Long.BYTES).putLong(numbers[i]).array();
            numbers[i] = ByteBuffer.wrap(exchange.swap(bytes, work)).getLong();
        }
        return exchange.isClient() ? ours : parse(numbers, exchange.peerName());
    }

    /// The unit of the client's bandwidth is its user's choice and is not told; the rate of
    /// messages has but one, and bandwidth follows from that.
    static PerfResult parse(long[] numbers, String peer) {
        double peak = Double.longBitsToDouble(numbers[2]);
        double average = Double.longBitsToDouble(numbers[3]);
        double rate = Double.longBitsToDouble(numbers[4]) * MILLION;
        boolean isSound =
                numbers[0] >= 1
                        && numbers[0] <= Integer.MAX_VALUE
                        && numbers[1] >= 0
                        && isNumber(peak)
                        && isNumber(average)
                        && isNumber(rate);
        if (!isSound) {
            throw new PerfException(peer + ": its result is not plausible; check its own output");
        }
        double bytes = rate * numbers[0];
        return new PerfResult.Bandwidth(
                (int) numbers[0],
                numbers[1],
                average > 0 ? bytes * (peak / average) : 0,
                bytes,
                rate,
                0);
    }

    private static boolean isNumber(double value) {
        return Double.isFinite(value) && value >= 0;
    }
}
