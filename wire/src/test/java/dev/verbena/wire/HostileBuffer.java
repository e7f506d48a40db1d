package dev.verbena.wire;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/// Draws buffers that a hostile or broken sender might send: noise, right packets cut short, and
/// right packets with a few fields changed, half of those with their checksums made right again.
///
/// Every buffer is exactly as long as its bytes, so that a read past the end cannot go unseen.
final class HostileBuffer {
    /// Which door a buffer is meant for.
    enum Door {
        ETHERNET,
        INFINIBAND,
        TRANSPORT,
        FLOW_CONTROL,
        MAD
    }

    private static final int POOL = 4_000;
    private static final byte[] INTERESTING = {0, 1, 4, 5, 7, 8, 0x0F, 0x1B, 0x7F, -1, -2, -128};

    private final SplittableRandom random;
    private final Icrc icrc = new Icrc();
    private final PacketView view = new PacketView();
    private final List<byte[]> bytes = new ArrayList<>();
    private final List<Door> doors = new ArrayList<>();

    private Door door = Door.ETHERNET;

    HostileBuffer(SplittableRandom random) {
        this.random = random;
        RandomPacket packets = new RandomPacket(random.split());
        while (bytes.size() < POOL) {
            RightBuffers.addOneOfEach(packets, random, icrc, this::keep);
        }
    }

    private void keep(Door kind, byte[] right) {
        doors.add(kind);
        bytes.add(right);
    }

    /// The door of the buffer that was drawn last.
    Door door() {
        return door;
    }

    MemorySegment draw() {
        int which = random.nextInt(100);
        int index = random.nextInt(bytes.size());
        byte[] right = bytes.get(index);
        door = doors.get(index);
        if (which < 8) {
            byte[] noise = new byte[random.nextInt(120)];
            random.nextBytes(noise);
            return MemorySegment.ofArray(noise);
        }
        if (which < 25) {
            // Short cuts are the interesting ones: they end inside headers.
            int limit = random.nextInt(3) > 0 ? Math.min(90, right.length) : right.length;
            return MemorySegment.ofArray(Arrays.copyOf(right, random.nextInt(limit)));
        }
        byte[] mutant = right.clone();
        int changes = 1 + random.nextInt(3);
        for (int i = 0; i < changes; i++) {
            mutate(mutant);
        }
        MemorySegment segment = MemorySegment.ofArray(mutant);
        if (random.nextBoolean()) {
            repair(segment);
        }
        return segment;
    }

    private void mutate(byte[] mutant) {
        if (mutant.length == 0) {
            return;
        }
        int headers = Math.min(mutant.length, 80);
        int at = random.nextInt(random.nextInt(8) == 0 ? mutant.length : headers);
        switch (random.nextInt(4)) {
            case 0 -> mutant[at] ^= (byte) (1 << random.nextInt(8));
            case 1 -> mutant[at] = INTERESTING[random.nextInt(INTERESTING.length)];
            case 2 -> mutant[at] += (byte) (random.nextBoolean() ? 1 : -1);
            default -> mutant[at] = (byte) random.nextInt();
        }
    }

    /// Makes the checksums fit the changed bytes again, as far as the headers still say where they
    /// are: a sender that lies can compute a CRC as well as anyone.
    private void repair(MemorySegment segment) {
        int length = (int) segment.byteSize();
        switch (door) {
            case FLOW_CONTROL -> Vcrc.store(segment, 4, Vcrc.compute(segment, 0, 4));
            case INFINIBAND -> {
                view.wrapInfiniBand(segment, 0, length);
                repairCrcs(segment);
            }
            case ETHERNET -> {
                repairIpv4(segment);
                view.wrapEthernet(segment, 0, length);
                repairCrcs(segment);
            }
            case TRANSPORT -> {
                view.wrapTransport(segment, 0, length);
                if (view.hasBth()) {
                    int covered = length - Icrc.LENGTH;
                    int value = icrc.compute(RightBuffers.SOCKET, 0, segment, 0, covered);
                    Icrc.store(segment, covered, value);
                }
            }
            case MAD -> {} // a datagram has no checksum of its own
        }
    }

    private void repairCrcs(MemorySegment segment) {
        if (!view.hasBth()) {
            return;
        }
        Icrc.store(segment, view.icrcAt(), icrc.compute(view));
        if (view.encapsulation().isNative()) {
            long vcrcAt = view.icrcAt() + Icrc.LENGTH;
            long at = view.networkAt();
            Vcrc.store(segment, vcrcAt, Vcrc.compute(segment, at, vcrcAt - at));
        }
    }

    private static void repairIpv4(MemorySegment segment) {
        int at = Ethernet.length(segment, 0);
        boolean ipv4 =
                segment.byteSize() >= at + Ipv4.LENGTH
                        && Ethernet.etherType(segment, 0) == Ethernet.TYPE_IPV4;
        if (ipv4) {
            BigEndian.put16(segment, at + 10, 0);
            long sum = InternetChecksum.add(0, segment, at, Ipv4.LENGTH);
            BigEndian.put16(segment, at + 10, InternetChecksum.fold(sum));
        }
    }
}
