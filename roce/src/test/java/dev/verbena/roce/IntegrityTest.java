package dev.verbena.roce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Gid;
import dev.verbena.wire.BigEndian;
import dev.verbena.wire.Icrc;
import dev.verbena.wire.IcrcPseudoHeader;
import dev.verbena.wire.PacketView;
import dev.verbena.wire.Verdict;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class IntegrityTest {
    private static final Gid OWN = Gid.parse("10.0.0.1");
    private static final Gid PEER = Gid.parse("10.0.0.2");
    private static final int PORT = 0xC123;

    /// An acknowledgement: BTH, AETH, ICRC.
    private static final int LENGTH = 20;

    private final MemorySegment bytes = Arena.ofAuto().allocate(LENGTH, 8);
    private final PacketView view = new PacketView();
    private final Integrity integrity = new Integrity(OWN, 4791);

    @Test
    void identificationOfATrainIsWhatIsGuessed() {
        assertThat(check(0, 0)).isEqualTo(Verdict.OK);
        assertThat(check(5, 5)).isEqualTo(Verdict.OK);
        assertThat(integrity.solved()).isZero();
    }

    @Test
    void identificationThatCountsIsSolvedFor() {
        for (int id = 0xFFF0; id < 0x10010; id++) {
            assertThat(check(id & 0xFFFF, 0)).as("id %x", id & 0xFFFF).isEqualTo(Verdict.OK);
        }
        assertThat(integrity.solved()).isEqualTo(31);
    }

    @Test
    void senderThatNeverCountedIsHeldToIt() {
        for (int i = 0; i < 1024; i++) {
            assertThat(check(i % 64, i % 64)).isEqualTo(Verdict.OK);
        }

        assertThat(check(0x4711, 0)).isEqualTo(Verdict.ICRC_WRONG);
        assertThat(check(3, 0)).isEqualTo(Verdict.OK);
    }

    @Test
    void senderThatChangedIsBelievedInTheEnd() {
        for (int i = 0; i < 1024; i++) {
            check(0, 0);
        }
        int refused = 0;
        while (check(0x4711 + refused, 0) != Verdict.OK) {
            refused++;
        }

        assertThat(refused).isEqualTo(16);
    }

    @Test
    void damageIsFoundWhereNothingIsHidden() {
        Integrity exact = new Integrity(Gid.parse("fd00::1"), 4791);
        Gid peer = Gid.parse("fd00::2");
        write(
                new IcrcPseudoHeader()
                        .setIpv6(Route.wire(peer), Route.wire(Gid.parse("fd00::1")), PORT, 4791),
                0);
        exact.from(peer.high(), peer.low(), PORT);
        assertThat(exact.check(wrap(), view, 0)).isEqualTo(Verdict.OK);

        for (int bit = 0; bit < LENGTH * 8; bit++) {
            int at = bit / 8;
            int value = BigEndian.u8(bytes, at);
            BigEndian.put8(bytes, at, value ^ (1 << (bit % 8)));
            // The fifth byte is for switches to change.
            if (at != 4) {
                assertThat(exact.check(wrap(), view, 0)).as("bit %d", bit).isNotEqualTo(Verdict.OK);
            }
            BigEndian.put8(bytes, at, value);
        }
    }

    private Verdict check(int identification, int guess) {
        write(
                new IcrcPseudoHeader().setIpv4((int) PEER.low(), (int) OWN.low(), PORT, 4791),
                identification);
        integrity.from(PEER.high(), PEER.low(), PORT);
        return integrity.check(wrap(), view, guess);
    }

    private Verdict wrap() {
        return view.wrapTransport(bytes, 0, LENGTH);
    }

    private void write(IcrcPseudoHeader header, int identification) {
        bytes.fill((byte) 0);
        BigEndian.put8(bytes, 0, 0x11);
        BigEndian.put16(bytes, 2, 0xFFFF);
        BigEndian.put24(bytes, 5, 0x1234);
        BigEndian.put24(bytes, 9, 77);
        BigEndian.put32(bytes, 12, 0x1F00_0001);
        int length = LENGTH - Icrc.LENGTH;
        Icrc.store(bytes, length, new Icrc().compute(header, identification, bytes, 0, length));
    }
}
