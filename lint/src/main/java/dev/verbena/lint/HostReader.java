package dev.verbena.lint;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads saved output of host tools, and puts the files of one host together.
final class HostReader {
    private static final Pattern SPEED = Pattern.compile("Speed:\\s*(\\S+)");
    private static final Pattern LINK = Pattern.compile("\\d{1,9}: (\\S{1,64}): <.*\\bmtu (\\S+)");
    private static final String PER_SECOND = "Mb/s";
    private static final int MTU_MAX = 65_535;
    private static final int TOS_MAX = 255;
    private static final long MBITS_MAX = 10_000_000;

    private final Findings findings;
    private final Map<String, HostSettings> hosts = new LinkedHashMap<>();

    HostReader(Findings findings) {
        this.findings = findings;
    }

    List<HostSettings> hosts() {
        return List.copyOf(hosts.values());
    }

    void read(InputFile file, Kind kind, Text text) {
        HostSettings host =
                hosts.computeIfAbsent(
                        file.deviceName(),
                        name -> new HostSettings(name, Place.start(file.name())));
        switch (kind) {
            case MLNX_QOS -> {
                once(host.qos, host, kind, file);
                host.qos = Optional.of(NicQosReader.read(text, findings));
            }
            case CMA_ROCE_TOS -> {
                once(host.typeOfService, host, kind, file);
                host.typeOfService =
                        findings.figure(
                                new Setting(text.content().strip(), text.line(0)),
                                "the type of service",
                                0,
                                TOS_MAX);
            }
            case ETHTOOL -> {
                once(host.speedMbits, host, kind, file);
                host.speedMbits = speed(text);
            }
            case PAUSE -> {
                once(host.pause, host, kind, file);
                host.pause = pause(text);
            }
            case IP_LINK -> {
                once(host.mtu, host, kind, file);
                host.mtu = mtu(text);
            }
            case CONFIG_DB, PARTITIONS, OPENSM ->
                    throw new IllegalArgumentException(kind + " is not of a host");
        }
    }

    private static void once(Optional<?> before, HostSettings host, Kind kind, InputFile file) {
        if (before.isPresent()) {
            throw new LintException(
                    "%s: a second file of %s for %s; name the host, as in %s@HOST:%s"
                            .formatted(
                                    file.name(), kind.word(), host.name, kind.word(), file.name()));
        }
    }

    /// An unknown speed is that of a link that is down, which is nothing to check.
    private Optional<Figure> speed(Text text) {
        List<String> lines = text.lines();
        for (int i = 0; i < lines.size(); i++) {
            Matcher speed = SPEED.matcher(lines.get(i));
            if (speed.find() && speed.group(1).endsWith(PER_SECOND)) {
                String number =
                        speed.group(1).substring(0, speed.group(1).length() - PER_SECOND.length());
                return findings.figure(new Setting(number, text.line(i)), "Speed", 1, MBITS_MAX);
            }
        }
        findings.unjudged(
                Place.start(text.file()), "the speed of the link", "a line 'Speed: …Mb/s'");
        return Optional.empty();
    }

    /// The line that turns pauses of the whole link on.
    private static Optional<Setting> pause(Text text) {
        List<String> lines = text.lines();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip().replaceAll("\\s+", " ");
            if (line.equals("RX: on") || line.equals("TX: on")) {
                return Optional.of(new Setting(line, text.line(i)));
            }
        }
        return Optional.empty();
    }

    /// The MTU of the one interface that the output shows besides the loopback.
    private Optional<Figure> mtu(Text text) {
        List<String> lines = text.lines();
        List<Setting> found = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            Matcher link = LINK.matcher(lines.get(i));
            if (link.lookingAt() && !link.group(1).equals("lo")) {
                found.add(new Setting(link.group(2), text.line(i)));
            }
        }
        if (found.size() == 1) {
            return findings.figure(found.getFirst(), "mtu", 1, MTU_MAX);
        }
        findings.unjudged(
                Place.start(text.file()),
                "the MTU of the host, of %d interfaces".formatted(found.size()),
                "the output of 'ip link show INTERFACE' for one of them");
        return Optional.empty();
    }
}
