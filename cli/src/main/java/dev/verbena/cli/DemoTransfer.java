package dev.verbena.cli;

import dev.verbena.cli.DemoScreen.Style;
import dev.verbena.verbs.NoDeviceException;
import dev.verbena.verbs.RemoteSlice;
import dev.verbena.wire.capture.CaptureWriter;
import dev.verbena.wire.capture.LinkType;
import dev.verbena.wire.capture.PcapngWriter;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;

/// The scenes of `verbena demo` with two processes: WRITEs over `roce://`, then one through a wire
/// that loses packets, and the counters of both devices.
final class DemoTransfer {
    private static final String NETWORK = "127.0.0.";
    private static final int HOSTS = 10;

    /// The wire is at an address behind the device's.
    private static final int BETWEEN = 24;

    private static final int LARGE = 1 << 20;
    private static final int WRITES = 100;
    private static final int SMALL = 1 << 16;
    private static final int MTU = 1024;

    private final DemoScreen screen;
    private final DemoPeer peer;
    private final long seed;
    private final String host = host();

    DemoTransfer(DemoScreen screen, DemoPeer peer, long seed) {
        this.screen = screen;
        this.peer = peer;
        this.seed = seed;
    }

    /// 127.0.0.1, or another address of the loopback network if another user has it.
    private static String host() {
        for (int i = 0; ; i++) {
            String address = NETWORK + (1 + i * BETWEEN);
            try (DemoSide probe = new DemoSide("roce://" + address, Long.BYTES)) {
                assert probe.endpoint().udpPort() > 0;
                return address;
            } catch (NoDeviceException taken) {
                if (i + 1 == HOSTS) {
                    throw taken;
                }
            }
        }
    }

    void write() throws IOException {
        screen.scene("Two processes, and a WRITE between them");
        screen.say(
                "One process writes into the memory of the other. RoCE v2 packets travel over UDP:"
                        + " no NIC, no root.");
        screen.blank();
        picture("roce://" + host, "WRITE", "roce://" + host);
        try (DemoSide side = new DemoSide("roce://" + host, LARGE)) {
            DemoPeer.Opened opened = peer.open("roce://" + host, LARGE);
            side.connect(opened.endpoint());
            peer.connect(side.endpoint());
            side.fill(seed);
            double ns = medianNs(side, opened.memory());
            screen.figure(
                    WRITES + " WRITEs of 1 MiB",
                    Style.BOLD,
                    String.format(
                            Locale.ROOT, "median %.2f ms, %.1f Gb/s", ns / 1e6, LARGE * 8 / ns));
            compare(side.checksum(), peer.checksum());
        }
    }

    private void picture(String left, String middle, String right) {
        long ours = ProcessHandle.current().pid();
        String bar = screen.glyph("─", "-");
        String side = screen.glyph("│", "|");
        String gap = " ".repeat(22);
        String top = screen.glyph("┌", "+") + bar.repeat(22) + screen.glyph("┐", "+");
        String bottom = screen.glyph("└", "+") + bar.repeat(22) + screen.glyph("┘", "+");
        String arrow = " " + bar.repeat(19) + screen.glyph("▶", ">") + " ";
        screen.line(
                "    "
                        + top
                        + " ".repeat((22 - middle.length()) / 2)
                        + middle
                        + " ".repeat(22 - middle.length() - (22 - middle.length()) / 2)
                        + top);
        screen.line(
                "    "
                        + side
                        + Texts.left(" process " + ours, 22)
                        + side
                        + screen.paint(Style.COOL, arrow)
                        + side
                        + Texts.left(" process " + peer.id(), 22)
                        + side);
        screen.line(
                "    "
                        + side
                        + Texts.left(" " + left, 22)
                        + side
                        + gap
                        + side
                        + Texts.left(" " + right, 22)
                        + side);
        screen.line("    " + bottom + gap + bottom);
        screen.blank();
    }

    private void compare(int here, int there) throws IOException {
        if (here != there) {
            throw new IOException(
                    "the second process holds bytes with the checksum %s instead of %s"
                            .formatted(Texts.hex32(there), Texts.hex32(here)));
        }
        screen.figure(
                "checksum of the bytes",
                Style.GOOD,
                String.format(
                        Locale.ROOT,
                        "here %s, there %s: the same",
                        Texts.hex32(here),
                        Texts.hex32(there)));
    }

    void lose(Path file) throws IOException {
        screen.scene("A wire that loses packets");
        Set<Integer> chosen = chosen();
        screen.say(
                "The packets now pass a wire between the two. At first it loses none; then it"
                        + " captures, and loses two data packets that the seed chose.");
        screen.blank();
        String options = "?gso=off&mtu=" + MTU;
        try (LossyWire wire = new LossyWire(InetAddress.ofLiteral(host));
                DemoSide side = new DemoSide("roce://" + host + options, SMALL)) {
            DemoPeer.Opened opened = peer.open(wire.secondUri() + options, SMALL);
            side.connect(wire.seenByFirst(opened.endpoint()));
            peer.connect(wire.seenBySecond(side.endpoint()));
            side.fill(seed);
            screen.figure(
                    "64 KiB, nothing lost",
                    Style.BOLD,
                    String.format(
                            Locale.ROOT, "median %.2f ms", medianNs(side, opened.memory()) / 1e6));
            side.fill(seed + 1);
            Map<String, Long> ours = side.counters();
            Map<String, Long> theirs = peer.counters();
            try (CaptureWriter capture = create(file)) {
                wire.lose(chosen, capture);
                long ns = side.writeNs(opened.memory());
                Set<Long> lost = wire.lost();
                wire.lose(Set.of(), null);
                screen.figure(
                        "64 KiB, %d packets lost".formatted(lost.size()),
                        Style.BOLD,
                        String.format(Locale.ROOT, "       %.2f ms", ns / 1e6));
                compare(side.checksum(), peer.checksum());
                capture.flush();
                packets(new DemoPackets(file, host, lost), lost.size());
            }
            counters(growth(ours, side.counters()), growth(theirs, peer.counters()));
        }
    }

    private static CaptureWriter create(Path file) throws IOException {
        return PcapngWriter.on(
                FileChannel.open(
                        file,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.TRUNCATE_EXISTING),
                LinkType.ETHERNET);
    }

    private static double medianNs(DemoSide side, RemoteSlice target) {
        long[] times = new long[WRITES];
        for (int i = 0; i < WRITES; i++) {
            times[i] = side.writeNs(target);
        }
        Arrays.sort(times);
        return times[WRITES / 2];
    }

    /// The counters of the one WRITE with losses.
    private static Map<String, Long> growth(Map<String, Long> before, Map<String, Long> after) {
        Map<String, Long> grown = new TreeMap<>();
        after.forEach((name, value) -> grown.put(name, value - before.getOrDefault(name, 0L)));
        grown.values().removeIf(value -> value == 0);
        return grown;
    }

    /// One among the packets that are sent first, and one among those that are sent again for it.
    private Set<Integer> chosen() {
        SplittableRandom random = new SplittableRandom(seed);
        int packets = SMALL / MTU;
        return new TreeSet<>(
                Set.of(random.nextInt(8, packets / 2), packets + random.nextInt(4, packets / 4)));
    }

    private void packets(DemoPackets packets, int lost) {
        screen.scene("The capture, packet by packet");
        screen.say(
                "The receiver notices each gap by the sequence number (PSN) and answers NAK. The"
                        + " sender then sends all packets from there on again.");
        screen.blank();
        new DemoPacketText(screen, packets.rows()).print();
        screen.blank();
        screen.figure(
                "packets",
                Style.PLAIN,
                String.format(
                        Locale.ROOT,
                        "%d captured: %d lost, %d sent again, %s",
                        packets.rows().size(),
                        lost,
                        packets.again(),
                        Texts.plural(packets.naks(), "NAK")));
        DemoPacketText.checksums(screen, packets);
    }

    private void counters(Map<String, Long> ours, Map<String, Long> theirs) {
        screen.scene("What the devices counted");
        screen.say("During this one WRITE; names as in Linux' hw_counters.");
        screen.blank();
        screen.line(
                screen.paint(
                        Style.DIM,
                        "      " + Texts.left("counter", 34) + "  this process  the other"));
        Set<String> names = new TreeSet<>(ours.keySet());
        names.addAll(theirs.keySet());
        for (String name : names) {
            screen.line(
                    "      "
                            + Texts.left(name, 34)
                            + Texts.right(count(ours, name), 14)
                            + Texts.right(count(theirs, name), 11));
        }
    }

    private static String count(Map<String, Long> counters, String name) {
        return Texts.count(counters.getOrDefault(name, 0L));
    }
}
