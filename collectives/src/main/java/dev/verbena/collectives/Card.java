package dev.verbena.collectives;

import dev.verbena.collectives.link.Member;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.Gid;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What ranks tell each other of a [Member] when they join: 36 bytes, big-endian.
///
/// ```text
///   0 gid   16 lid   20 UDP port   24 port   28 host   32 zero
/// ```
final class Card {
    static final int LENGTH = 36;
    static final int RANKS_MAX = 1 << 16;

    private static final int MAGIC = 0x5642_4A31; // "VBJ1"
    private static final int HELLO_LENGTH = 12 + LENGTH;
    private static final int PORT_MAX = 0xFFFF;

    record Hello(int rank, int size, Member member) {}

    private Card() {}

    static byte[] hello(int rank, int size, Member member) {
        ByteBuffer out = ByteBuffer.allocate(HELLO_LENGTH).putInt(MAGIC).putInt(rank).putInt(size);
        put(out, member);
        return out.array();
    }

    /// Reads the private data of a rank that joins; null when it is something else.
    static @Nullable Hello hello(byte[] bytes) {
        if (bytes.length < HELLO_LENGTH) {
            return null;
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        if (in.getInt() != MAGIC) {
            return null;
        }
        int rank = in.getInt();
        int size = in.getInt();
        Member member = get(in);
        return member == null ? null : new Hello(rank, size, member);
    }

    static void put(MemorySegment table, long at, Member member) {
        ByteBuffer out = ByteBuffer.allocate(LENGTH);
        put(out, member);
        MemorySegment.copy(MemorySegment.ofArray(out.array()), 0, table, at, LENGTH);
    }

    /// Reads the list of rank 0.
    static List<Member> all(MemorySegment table, int size) {
        List<Member> all = new ArrayList<>();
        ByteBuffer in = table.asSlice(0, (long) LENGTH * size).asByteBuffer();
        for (int i = 0; i < size; i++) {
            Member member = get(in);
            if (member == null) {
                throw new IllegalStateException(
                        "rank 0 has sent no address for rank %d".formatted(i));
            }
            all.add(member);
        }
        return all;
    }

    private static void put(ByteBuffer out, Member member) {
        Address address = member.addresses().getFirst();
        out.putLong(address.gid().high())
                .putLong(address.gid().low())
                .putInt(address.lid())
                .putInt(address.udpPort())
                .putInt(member.port())
                .putInt(member.host())
                .putInt(0);
    }

    private static @Nullable Member get(ByteBuffer in) {
        Gid gid = new Gid(in.getLong(), in.getLong());
        int lid = in.getInt();
        int udpPort = in.getInt();
        int port = in.getInt();
        int host = in.getInt();
        in.getInt();
        boolean isRight =
                lid >= 0
                        && lid <= PORT_MAX
                        && udpPort >= 1
                        && udpPort <= PORT_MAX
                        && port >= 1
                        && port <= PORT_MAX;
        if (!isRight) {
            return null;
        }
        Address address = Member.address(lid, gid, udpPort);
        return new Member(List.of(address), port, host);
    }
}
