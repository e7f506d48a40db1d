package dev.verbena.fabric;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import dev.verbena.transport.TransportDevice;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.LocalSlice;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.spi.NetworkReduction;
import dev.verbena.verbs.spi.NetworkReduction.Answer;
import dev.verbena.verbs.spi.NetworkReduction.Arithmetic;
import dev.verbena.verbs.spi.NetworkReduction.Member;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// Hosts of a fabric that reduce together.
final class ReducingHosts {
    static final Arithmetic SUM = new FloatSum("sum");

    final Fabric fabric;
    final List<TransportDevice> devices = new ArrayList<>();
    final List<ProtectionDomain> domains = new ArrayList<>();
    final List<Address> addresses = new ArrayList<>();

    /// The sum of floats: their rounding shows in which order they are added.
    private record FloatSum(String operation) implements Arithmetic {
        @Override
        public String type() {
            return "float32";
        }

        @Override
        public int elementBytes() {
            return 4;
        }

        @Override
        public void combine(
                MemorySegment left,
                long leftAt,
                MemorySegment right,
                long rightAt,
                MemorySegment to,
                long toAt,
                long count) {
            for (long i = 0; i < 4 * count; i += 4) {
                float a = left.get(JAVA_FLOAT_UNALIGNED, leftAt + i);
                float b = right.get(JAVA_FLOAT_UNALIGNED, rightAt + i);
                to.set(JAVA_FLOAT_UNALIGNED, toAt + i, a + b);
            }
        }
    }

    static Arithmetic another() {
        return new FloatSum("another sum");
    }

    ReducingHosts(Topology topology, FabricSettings settings) {
        fabric = new Fabric(topology, settings);
        for (int host = 0; host < topology.hosts(); host++) {
            TransportDevice device = fabric.open(host);
            devices.add(device);
            domains.add(device.protectionDomain());
            int lid = settings.layer() == LinkLayer.INFINIBAND ? device.port(1).lid() : 0;
            Address usual = Address.to(device.gids(1).getFirst());
            addresses.add(new Address(lid, usual.gid(), 0, 0, 0, 64, 0, Address.ROCE_PORT));
        }
    }

    int size() {
        return devices.size();
    }

    Answer join(long group, int index, List<Integer> hosts) {
        List<Address> members = hosts.stream().map(addresses::get).toList();
        NetworkReduction offer = NetworkReduction.of(devices.get(hosts.get(index))).orElseThrow();
        return offer.join(group, index, members);
    }

    List<Answer> answers(long group, List<Integer> hosts) {
        List<Answer> answers = new ArrayList<>();
        for (int i = 0; i < hosts.size(); i++) {
            answers.add(join(group, i, hosts));
        }
        return answers;
    }

    List<Member> members(long group, List<Integer> hosts) {
        List<Member> members = new ArrayList<>();
        for (Answer answer : answers(group, hosts)) {
            Member member = answer.member();
            if (member == null) {
                throw new AssertionError("refused: " + answer.refusal());
            }
            members.add(member);
        }
        return members;
    }

    List<Member> members(long group) {
        List<Integer> all = new ArrayList<>();
        for (int host = 0; host < size(); host++) {
            all.add(host);
        }
        return members(group, all);
    }

    LocalSlice memory(int host, long bytes) {
        return domains.get(host).allocate(Math.max(1, bytes), Access.LOCAL_WRITE).slice(0, bytes);
    }

    LocalSlice phantom(int host, long bytes) {
        MemoryRegion region = PhantomMemory.in(domains.get(host), bytes, Access.LOCAL_WRITE);
        return region.slice(0, bytes);
    }

    /// Numbers of very different sizes, whose sums depend on the order.
    static float[] numbers(long seed, int host, int count) {
        SplittableRandom random = new SplittableRandom(seed * 1000 + host);
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = (float) ((random.nextDouble() - 0.5) * Math.pow(10, random.nextInt(7)));
        }
        return values;
    }

    static void fill(LocalSlice slice, float[] values) {
        MemorySegment bytes = slice.region().segment();
        for (int i = 0; i < values.length; i++) {
            bytes.set(JAVA_FLOAT_UNALIGNED, slice.offset() + 4L * i, values[i]);
        }
    }

    static float[] read(LocalSlice slice) {
        MemorySegment bytes = slice.region().segment();
        float[] values = new float[(int) (slice.length() / 4)];
        for (int i = 0; i < values.length; i++) {
            values[i] = bytes.get(JAVA_FLOAT_UNALIGNED, slice.offset() + 4L * i);
        }
        return values;
    }

    /// Adds up as the switches do: at each leaf the hosts by port, then the leaves by port.
    float[] sum(long seed, int count) {
        List<float[]> leaves = new ArrayList<>();
        int leaf = -1;
        for (int host = 0; host < size(); host++) {
            float[] own = numbers(seed, host, count);
            if (fabric.topology().switchOf(host) != leaf) {
                leaf = fabric.topology().switchOf(host);
                leaves.add(own);
            } else {
                add(leaves.getLast(), own);
            }
        }
        float[] all = leaves.removeFirst();
        leaves.forEach(it -> add(all, it));
        return all;
    }

    private static void add(float[] to, float[] values) {
        for (int i = 0; i < to.length; i++) {
            to[i] += values[i];
        }
    }

    /// Runs until all members have finished so many operations; returns the time of the last one,
    /// or -1 when nothing is left to happen before that.
    long await(List<Member> members, long done) {
        while (members.stream().anyMatch(it -> it.done() < done)) {
            if (!fabric.step(Long.MAX_VALUE)) {
                return -1;
            }
        }
        return fabric.nowPs();
    }

    /// Packets that hosts and switches have sent once more.
    long repeats(List<Member> members) {
        long repeats = 0;
        for (Member member : members) {
            repeats += ((ReductionMember) member).repeats();
        }
        return repeats + switchRepeats();
    }

    long switchRepeats() {
        long repeats = 0;
        for (int i = 0; i < fabric.topology().switches(); i++) {
            Reducer reducer = fabric.node(fabric.topology().hosts() + i).reducer();
            repeats += reducer == null ? 0 : reducer.repeats();
        }
        return repeats;
    }

    /// Every host hands in its numbers and gets the sum; returns the results.
    List<float[]> allReduce(List<Member> members, long seed, int count, @Nullable Pause pause) {
        List<LocalSlice> memories = new ArrayList<>();
        List<Long> numbers = new ArrayList<>();
        for (int host = 0; host < size(); host++) {
            LocalSlice memory = memory(host, 4L * count);
            memories.add(memory);
            fill(memory, numbers(seed, host, count));
            if (pause != null) {
                fabric.run(fabric.nowPs() + pause.beforePs(host));
            }
            numbers.add(members.get(host).post(4L * count, memory, memory, SUM));
        }
        if (await(members, numbers.getFirst()) < 0) {
            throw new AssertionError("nothing is left to happen, and a host has no result");
        }
        return memories.stream().map(ReducingHosts::read).toList();
    }

    /// Time before a host begins.
    interface Pause {
        long beforePs(int host);
    }
}
