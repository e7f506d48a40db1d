package dev.verbena.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.testkit.Seed;
import dev.verbena.wire.mad.CmMad;
import dev.verbena.wire.mad.CmMessage;
import java.lang.foreign.MemorySegment;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

/// Every buffer that a sender can make ends in a verdict; none ends in an exception, and none makes
/// the door read outside of it (each segment is exactly as long as its bytes).
class HostileCampaignTest {
    private final PacketView view = new PacketView();
    private final Icrc icrc = new Icrc();
    private long checksum;

    @Test
    void everyBufferEndsInAVerdictAndEveryVerdictIsReached() {
        Seed seed = Seed.forTest("HostileCampaignTest", 8192);
        HostileBuffer buffers = new HostileBuffer(seed.random());
        long count = Seed.campaign(2_000_000);
        Map<Verdict, LongAdder> reached = new EnumMap<>(Verdict.class);
        for (Verdict verdict : Verdict.values()) {
            reached.put(verdict, new LongAdder());
        }

        for (long i = 0; i < count; i++) {
            MemorySegment buffer = buffers.draw();
            Objects.requireNonNull(reached.get(judge(buffers.door(), buffer))).increment();
        }

        System.out.printf("HostileCampaignTest: %,d buffers (read %x)%n", count, checksum);
        reached.forEach(
                (verdict, times) -> System.out.printf("  %-24s %,12d%n", verdict, times.sum()));
        // A thousand times in ten million.
        long least = count / 10_000;
        assertThat(reached).allSatisfy((_, times) -> assertThat(times.sum()).isGreaterThan(least));
    }

    private Verdict judge(HostileBuffer.Door door, MemorySegment buffer) {
        int length = (int) buffer.byteSize();
        return switch (door) {
            case ETHERNET -> transport(view.wrapEthernet(buffer, 0, length));
            case INFINIBAND -> transport(view.wrapInfiniBand(buffer, 0, length));
            case TRANSPORT -> bare(view.wrapTransport(buffer, 0, length));
            case FLOW_CONTROL -> flowControl(buffer, length);
            case MAD -> mad(buffer, length);
        };
    }

    /// Reads everything that the view's table says may be read after this verdict.
    private Verdict transport(Verdict verdict) {
        if (view.hasBth()) {
            checksum += view.opcode().code() + view.destQp() + view.psn() + view.icrcAt();
        }
        boolean whole = verdict.isOk() || verdict.category() == Verdict.Category.ILLEGAL;
        if (whole && view.kind() == PacketKind.TRANSPORT) {
            checksum += Packet.parse(view).payload().length();
            checksum += view.integrity(icrc).isOk() ? 1 : 0;
        } else if (verdict.isOk()) {
            checksum += control();
        }
        return verdict.isOk() ? view.integrity(icrc) : verdict;
    }

    private long control() {
        MemorySegment segment = view.segment();
        return switch (view.kind()) {
            case PAUSE -> Pause.parse(segment, view.controlAt()).quanta();
            case PFC -> Pfc.parse(segment, view.controlAt()).enabled();
            case LLDP -> Lldp.dcbx(segment, view.controlAt(), view.controlLength()).size();
            case TRANSPORT, NONE -> throw new AssertionError("accepted as " + view.kind());
        };
    }

    private Verdict bare(Verdict verdict) {
        if (!verdict.isOk()) {
            return verdict;
        }
        for (ExtendedHeader header : view.opcode().headers()) {
            checksum += Eth.parse(header, view.segment(), view.at(header)).hashCode();
        }
        return icrc.isRight(RightBuffers.SOCKET, 0, view) ? verdict : Verdict.ICRC_WRONG;
    }

    private Verdict flowControl(MemorySegment buffer, int length) {
        Verdict verdict = FlowControl.check(buffer, 0, length);
        if (verdict.isOk()) {
            checksum += FlowControl.parse(buffer, 0).creditLimit();
        }
        return verdict;
    }

    private Verdict mad(MemorySegment buffer, int length) {
        Verdict verdict = CmMessage.check(buffer, 0, length);
        if (verdict.isOk()) {
            checksum += CmMad.parse(buffer, 0).message().attributeId();
        }
        return verdict;
    }
}
