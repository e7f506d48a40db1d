package dev.verbena.lint;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// A file to check.
public final class InputFile {
    /// The largest file that is read.
    public static final int BYTES_MAX = 16 << 20;

    private static final Set<String> GENERAL =
            Set.of("mlnx_qos", "qos", "ethtool", "pause", "cma_roce_tos", "tos", "ip", "link");

    private final String name;
    private final Optional<Kind> kind;
    private final Optional<String> device;
    private final byte[] bytes;

    /// @param name as the caller knows it; messages start with it
    /// @param kind what it holds; recognised when empty
    /// @param device the host or switch that it is of; from the name when empty
    /// @param bytes its content
    public InputFile(String name, Optional<Kind> kind, Optional<String> device, byte[] bytes) {
        this.name = name;
        this.kind = kind;
        this.device = device;
        this.bytes = bytes.clone();
    }

    /// A file of which only the name is known.
    public static InputFile of(String name, byte[] bytes) {
        return new InputFile(name, Optional.empty(), Optional.empty(), bytes);
    }

    String name() {
        return name;
    }

    Optional<Kind> kind() {
        return kind;
    }

    int length() {
        return bytes.length;
    }

    ByteBuffer content() {
        return ByteBuffer.wrap(bytes).asReadOnlyBuffer();
    }

    boolean isNamed() {
        return device.isPresent();
    }

    /// The device's name: as given, or the file's name up to its first dot; for a name that stands
    /// for a tool, such as `gpu1/mlnx_qos.txt`, the directory's.
    String deviceName() {
        if (device.isPresent()) {
            return device.get();
        }
        List<String> parts = List.of(name.split("/", -1));
        String last = stem(parts.getLast());
        boolean isTool = GENERAL.contains(last.toLowerCase(Locale.ROOT));
        return isTool && parts.size() > 1 ? parts.get(parts.size() - 2) : isTool ? "host" : last;
    }

    private static String stem(String file) {
        int dot = file.indexOf('.');
        return dot <= 0 ? file : file.substring(0, dot);
    }
}
