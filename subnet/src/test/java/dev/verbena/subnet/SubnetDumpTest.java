package dev.verbena.subnet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.wire.Gid;
import dev.verbena.wire.mad.MadMethod;
import dev.verbena.wire.mad.McMemberRecord;
import dev.verbena.wire.mad.SaRecord;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The files of a subnet say what its switches do.
final class SubnetDumpTest {
    private static final int HOSTS = 12;
    private static final int SWITCHES = 5;
    private static final Pattern ENTRY =
            Pattern.compile("0x([0-9A-F]{4}) : ([0-9]{3})  : ([0-9]{2})   : yes");
    private static final Pattern LINK =
            Pattern.compile(
                    "\\{ (CA|SW)(-SM)? Ports:.* NodeGUID:([0-9A-F]{16}) .* PN:([0-9A-F]{2}) \\}"
                            + " \\{ (CA|SW)(-SM)? Ports:.* NodeGUID:([0-9A-F]{16}) .*"
                            + " PN:([0-9A-F]{2}) \\} PHY=4x LOG=ACT SPD=.*");

    private final SaLab sa = new SaLab(Shapes.twoTiers(4, 3, 2, 1));
    private final PlainPlane plane = sa.lab.plane;

    private List<String> dump(DumpFile file) throws IOException {
        StringBuilder text = new StringBuilder();
        sa.lab.manager.dump(file, text);
        return text.toString().lines().toList();
    }

    @Test
    void everySwitchHasAnEntryForEveryNode() throws IOException {
        List<String> lines = dump(DumpFile.FORWARDING);
        int nodes = HOSTS + SWITCHES;
        assertThat(lines).hasSize(SWITCHES * (nodes + 2));
        assertThat(lines.stream().filter((nodes + " lids dumped")::equals)).hasSize(SWITCHES);
        assertThat(lines.stream().filter(it -> it.contains(" # Channel Adapter portguid 0x")))
                .hasSize(SWITCHES * HOSTS);
        assertThat(lines.stream().filter(it -> it.contains(" 000 # Switch portguid 0x")))
                .as("entries of switches for themselves")
                .hasSize(SWITCHES);
    }

    @Test
    void hopsAreThoseThatPacketsTake() throws IOException {
        Walk walk = new Walk(plane, sa.lab.subnet);
        int seen = 0;
        long guid = 0;
        for (String line : dump(DumpFile.HOPS)) {
            if (line.startsWith("dump_ucast_routes: Switch 0x")) {
                guid = Long.parseUnsignedLong(line.substring(28), 16);
                continue;
            }
            Matcher entry = ENTRY.matcher(line);
            if (entry.matches()) {
                int lid = Integer.parseInt(entry.group(1), 16);
                int port = Integer.parseInt(entry.group(2));
                assertThat(port == 0).isEqualTo(sa.lab.manager.lid(guid) == lid);
                if (port != 0) {
                    assertThat(sa.lab.manager.forwardingPort(guid, lid)).isEqualTo(port);
                }
                seen++;
            }
        }
        assertThat(seen).isEqualTo(SWITCHES * (HOSTS + SWITCHES));
        assertThat(walk.hops(0, HOSTS - 1)).isPositive();
    }

    @Test
    void aNodeThatIsGoneIsUnreachable() throws IOException {
        assertThat(dump(DumpFile.HOPS)).noneMatch(it -> it.endsWith("UNREACHABLE"));
        int lid = sa.lid(2);
        sa.lab.plug(2, false);
        sa.lab.settle();
        String line = "0x%04X : UNREACHABLE".formatted(lid);
        assertThat(dump(DumpFile.HOPS).stream().filter(line::equals)).hasSize(SWITCHES);
        assertThat(dump(DumpFile.LINKS)).hasSize(2 * (HOSTS + 6 - 1));
    }

    @Test
    void eachLinkIsThereFromBothEnds() throws IOException {
        List<String> lines = dump(DumpFile.LINKS);
        assertThat(lines).hasSize(2 * (HOSTS + 6));
        Set<String> ends = new TreeSet<>();
        for (String line : lines) {
            Matcher link = LINK.matcher(line);
            assertThat(link.matches()).as(line).isTrue();
            ends.add(link.group(3) + link.group(4) + link.group(7) + link.group(8));
        }
        for (String each : ends) {
            assertThat(ends).contains(each.substring(18) + each.substring(0, 18));
        }
    }

    @Test
    void groupsAreThereWithThePortsOfTheirMembers() throws IOException {
        assertThat(dump(DumpFile.GROUPS)).isEmpty();
        int mlid = 0;
        for (int host : new int[] {1, 2}) {
            MemorySegment wish = SaLab.blank();
            new Gid(0xFF12_401B_FFFF_0000L, 7).emit(wish, 0);
            sa.gid(host).emit(wish, 16);
            McMemberRecord.QKEY.write(wish, 0, 1);
            McMemberRecord.PKEY.write(wish, 0, 0xFFFF);
            McMemberRecord.JOIN_STATE.write(wish, 0, 1);
            SaAnswer answer =
                    sa.ask(host, MadMethod.SET, SaRecord.MULTICAST_MEMBER, wish, SaLab.CREATE);
            assertThat(answer.isOk()).as("%s", answer).isTrue();
            mlid = McMemberRecord.MLID.readInt(answer.records().getFirst(), 0);
        }
        sa.exchange();
        List<String> lines = dump(DumpFile.GROUPS);
        assertThat(lines.getFirst()).isEmpty();
        assertThat(lines.get(1)).startsWith("Switch 0x");
        assertThat(lines.get(2)).isEqualTo("LID    : Out Port(s)");
        String expected = "0x%04X :".formatted(mlid);
        for (int port : plane.groupPorts(plane.peer(1, 1), mlid)) {
            expected += " 0x%03X ".formatted(port);
        }
        assertThat(lines).contains(expected);
    }
}
