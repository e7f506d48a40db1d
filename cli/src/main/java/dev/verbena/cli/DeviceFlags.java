package dev.verbena.cli;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Which device a command uses: a URI, or the software RoCE device of an address, with options.
final class DeviceFlags {
    /// The thread that drives a device.
    enum Progress {
        CALLER,
        THREAD
    }

    private static final String ROCE = "roce://";

    @Option(
            names = {"-d", "--ib-dev"},
            paramLabel = "URI",
            description =
                    "Device, such as roce://192.0.2.10 (software RoCE on the "
                            + "local address of the TCP connection).")
    private @Nullable String uri;

    @Option(
            names = "--progress",
            paramLabel = "WHO",
            description =
                    "caller: the thread of the test drives the device and "
                            + "spins; thread: the device has a thread of its own "
                            + "(caller).")
    private Progress progress = Progress.CALLER;

    @Option(
            names = "--rcvbuf",
            paramLabel = "BYTES",
            converter = ByteCount.class,
            description = "Receive buffer of the socket, as requested from the kernel.")
    private @Nullable Long receiveBuffer;

    @Option(
            names = "--gso",
            paramLabel = "on|off",
            description = "Segmentation by the kernel (on).")
    private @Nullable String segmentation;

    @Option(
            names = "--path",
            paramLabel = "foreign|portable",
            description =
                    "Socket calls. foreign: system calls of Linux; portable: "
                            + "channels of the JDK (foreign on Linux).")
    private @Nullable String path;

    @Option(
            names = "--ack",
            paramLabel = "N,US",
            description =
                    "Requests per acknowledgement, and its longest delay in "
                            + "microseconds (1,0).")
    private @Nullable String acknowledgements;

    /// The address that a flag names.
    static InetAddress address(String flag, String text) {
        try {
            return InetAddress.ofLiteral(text);
        } catch (IllegalArgumentException malformed) {
            throw new UsageException(
                    flag + " " + text + ": not an IPv4 or IPv6 address; write it as 192.0.2.10",
                    malformed);
        }
    }

    /// The URI to open when the other side was reached from this address of ours.
    String uri(InetAddress local) {
        return withOptions(uri != null ? uri : ROCE + literal(local));
    }

    private String withOptions(String base) {
        if (!base.startsWith(ROCE)) {
            return base;
        }
        StringBuilder text = new StringBuilder(base);
        for (String option : options()) {
            String name = option.substring(0, option.indexOf('=') + 1);
            if (!base.contains("?" + name) && !base.contains("&" + name)) {
                text.append(text.indexOf("?") < 0 ? '?' : '&').append(option);
            }
        }
        return text.toString();
    }

    /// Whether the thread of the program must drive the device.
    boolean isCaller() {
        if (uri != null && uri.contains("progress=")) {
            return uri.contains("progress=caller");
        }
        return progress == Progress.CALLER;
    }

    /// The same flags as words, for another process.
    List<String> words() {
        List<String> words = new ArrayList<>();
        if (uri != null) {
            words.addAll(List.of("-d", uri));
        }
        for (String option : options()) {
            words.add("--" + option);
        }
        return words;
    }

    private List<String> options() {
        List<String> options = new ArrayList<>();
        options.add("progress=" + progress.toString().toLowerCase(Locale.ROOT));
        add(options, "rcvbuf", receiveBuffer);
        add(options, "gso", segmentation);
        add(options, "path", path);
        add(options, "ack", acknowledgements);
        return options;
    }

    private static void add(List<String> options, String name, @Nullable Object value) {
        if (value != null) {
            options.add(name + "=" + value);
        }
    }

    private static String literal(InetAddress address) {
        String text = address.getHostAddress();
        if (address instanceof Inet6Address) {
            int zone = text.indexOf('%');
            return "[" + (zone < 0 ? text : text.substring(0, zone)) + "]";
        }
        return text;
    }
}
