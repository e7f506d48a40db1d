package dev.verbena.cli.doctor;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Remembers all that was looked at, in the form that [RecordedHost] reads.
final class RecordingHost implements Host {
    private static final String NO_GID = "0000:0000:0000:0000:0000:0000:0000:0000";

    private final Host host;
    private final Map<String, String> seen = new TreeMap<>();

    RecordingHost(Host host) {
        this.host = host;
    }

    /// What was looked at and found. Of what was not there, nothing.
    String record() {
        StringBuilder lines = new StringBuilder();
        for (Map.Entry<String, String> file : seen.entrySet()) {
            if (file.getValue().isEmpty()) {
                lines.append(file.getKey()).append(":\n");
            }
            file.getValue()
                    .lines()
                    .map(String::stripTrailing)
                    .forEach(line -> lines.append(file.getKey() + ":" + line + "\n"));
        }
        return lines.toString();
    }

    @Override
    public Optional<String> text(String path) {
        Optional<String> text = host.text(path);
        // A port may have a thousand empty places for GIDs.
        text.filter(value -> !value.equals(NO_GID)).ifPresent(value -> seen.put(path, value));
        return text;
    }

    @Override
    public List<String> names(String directory) {
        List<String> names = host.names(directory);
        if (!directory.endsWith("/gids")) {
            names.forEach(name -> seen.putIfAbsent(directory + "/" + name, ""));
        }
        return names;
    }

    @Override
    public boolean exists(String path) {
        boolean there = host.exists(path);
        if (there) {
            seen.putIfAbsent(path, "");
        }
        return there;
    }

    @Override
    public boolean isOpenable(String path) {
        boolean openable = host.isOpenable(path);
        if (openable) {
            seen.putIfAbsent(path, "");
        } else if (host.exists(path)) {
            seen.put(path, RecordedHost.CLOSED);
        }
        return openable;
    }
}
