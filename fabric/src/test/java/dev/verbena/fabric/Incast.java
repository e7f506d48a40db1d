package dev.verbena.fabric;

import dev.verbena.transport.TransportOptions;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/// Senders that never end and one receiver at one switch: the queue before the receiver over time,
/// and what each sender has sent.
final class Incast {
    private final Fabric fabric;
    private final OutPort bottleneck;
    private final int senders;

    /// @param everyPs time from the start of one sender to that of the next
    /// @param options of every device, such as congestion control
    Incast(int senders, long everyPs, FabricSettings settings, Consumer<TransportOptions> options) {
        this.senders = senders;
        fabric = new Fabric(FatTree.single(senders + 1).topology(), settings);
        Stream stream = new Stream(fabric, options);
        for (int i = 1; i <= senders; i++) {
            stream.send(i, 0, 0, 200_000, (i - 1) * everyPs);
        }
        bottleneck = new Census(fabric).neighbour(0);
    }

    Fabric fabric() {
        return fabric;
    }

    /// What happened in a time.
    ///
    /// @param sent packets of each sender
    /// @param use part of the time in which the bottleneck was busy
    /// @param queueBytes mean length of its queue
    /// @param highestBytes its greatest length
    record Seen(List<Long> sent, double use, double queueBytes, long highestBytes, long pauses) {
        /// Jain's index: 1 when all have sent alike, 1 / senders when only one has.
        double fairness() {
            double sum = sent.stream().mapToDouble(it -> it).sum();
            double squares = sent.stream().mapToDouble(it -> (double) it * it).sum();
            return sum * sum / (sent.size() * squares);
        }
    }

    /// Runs to a time, and looks at the queue so often.
    Seen until(long endPs, long everyPs) {
        long[] sent = new long[senders];
        for (int i = 0; i < senders; i++) {
            sent[i] = -sent(i);
        }
        long startPs = fabric.nowPs();
        long busyPs = bottleneck.busyPs();
        long pauses = fabric.counts().pauses();
        double sum = 0;
        long highest = 0;
        int looks = 0;
        for (long nowPs = startPs + everyPs; nowPs <= endPs; nowPs += everyPs) {
            fabric.run(nowPs);
            long queue = bottleneck.waitingBytes(0);
            sum += queue;
            highest = Math.max(highest, queue);
            looks++;
        }
        for (int i = 0; i < senders; i++) {
            sent[i] += sent(i);
        }
        double use = (double) (bottleneck.busyPs() - busyPs) / (fabric.nowPs() - startPs);
        return new Seen(
                LongStream.of(sent).boxed().toList(),
                use,
                sum / looks,
                highest,
                fabric.counts().pauses() - pauses);
    }

    private long sent(int sender) {
        return fabric.nic(sender + 1).port().sentPackets();
    }
}
