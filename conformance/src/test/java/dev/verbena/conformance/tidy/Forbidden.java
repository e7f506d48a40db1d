package dev.verbena.conformance.tidy;

import java.util.List;
import java.util.Set;

/// What the sans-I/O modules may not name, by kind, with what to do instead.
///
/// A name is a fully qualified type, a member, or a package with a star. A name forbids all below
/// it; a trailing star forbids all that begins so.
enum Forbidden {
    CLOCK(
            "reads a clock: take the time as an argument",
            """
            java.lang.System.nanoTime
            java.lang.System.currentTimeMillis
            java.time.Clock
            java.time.Instant.now
            java.time.LocalDate.now
            java.time.LocalTime.now
            java.time.LocalDateTime.now
            java.time.OffsetDateTime.now
            java.time.OffsetTime.now
            java.time.ZonedDateTime.now
            java.time.Year.now
            java.time.YearMonth.now
            java.time.MonthDay.now
            java.util.Date
            java.util.Calendar
            java.util.GregorianCalendar
            """),
    SOCKET(
            "belongs to a socket: leave the network to the carrier",
            """
            java.net.*
            javax.net.*
            java.nio.channels.Asynchronous*
            java.nio.channels.DatagramChannel
            java.nio.channels.MulticastChannel
            java.nio.channels.NetworkChannel
            java.nio.channels.Pipe
            java.nio.channels.SelectableChannel
            java.nio.channels.SelectionKey
            java.nio.channels.Selector
            java.nio.channels.ServerSocketChannel
            java.nio.channels.SocketChannel
            java.net.InetAddress.getByName
            java.net.InetAddress.getAllByName
            java.net.InetAddress.getLocalHost
            """),
    THREAD(
            "belongs to threads: be driven by the caller",
            """
            java.lang.Thread
            java.lang.ThreadGroup
            java.util.Timer
            java.util.TimerTask
            java.util.concurrent.CompletableFuture.delayedExecutor
            java.util.concurrent.CompletableFuture.runAsync
            java.util.concurrent.CompletableFuture.supplyAsync
            java.util.concurrent.Executor*
            java.util.concurrent.ForkJoin*
            java.util.concurrent.Scheduled*
            java.util.concurrent.StructuredTaskScope
            java.util.concurrent.ThreadFactory
            java.util.concurrent.ThreadPoolExecutor
            java.util.concurrent.locks.LockSupport
            """),
    RANDOM(
            "is random without a seed: draw from a seeded generator that is passed in",
            """
            java.lang.Math.random
            java.lang.StrictMath.random
            java.security.SecureRandom
            java.util.UUID.randomUUID
            java.util.concurrent.ThreadLocalRandom
            java.util.random.RandomGenerator.getDefault
            java.util.random.RandomGenerator.of
            java.util.random.RandomGeneratorFactory
            """),
    FILE(
            "touches files: take a channel, a stream or a segment",
            """
            java.io.File*
            java.io.RandomAccessFile
            java.nio.channels.FileChannel
            java.nio.channels.FileLock
            java.nio.file.*
            java.util.jar.JarFile
            java.util.zip.ZipFile
            """),
    ENVIRONMENT(
            "reaches around the caller: take it as an argument, return it as a value",
            """
            java.lang.Boolean.getBoolean
            java.lang.IO.print
            java.lang.IO.println
            java.lang.IO.readln
            java.lang.Integer.getInteger
            java.lang.Long.getLong
            java.lang.Process
            java.lang.ProcessBuilder
            java.lang.ProcessHandle
            java.lang.Runtime.getRuntime
            java.lang.System.console
            java.lang.System.err
            java.lang.System.getProperties
            java.lang.System.getProperty
            java.lang.System.getenv
            java.lang.System.in
            java.lang.System.out
            """),
    SLEEP(
            "waits for real time: use virtual time, or testkit's Wait for a condition",
            """
            java.lang.Thread.sleep
            java.util.concurrent.TimeUnit.sleep
            java.util.concurrent.locks.LockSupport.parkNanos
            java.util.concurrent.locks.LockSupport.parkUntil
            """);

    // Values of the network, which open nothing by themselves.
    private static final Set<String> ALLOWED_TYPES =
            Set.of(
                    "java.net.Inet4Address",
                    "java.net.Inet6Address",
                    "java.net.InetAddress",
                    "java.net.URI",
                    "java.net.URISyntaxException",
                    "java.net.UnknownHostException");

    private final String advice;
    private final String names;

    Forbidden(String advice, String names) {
        this.advice = advice;
        this.names = names;
    }

    String advice() {
        return advice;
    }

    /// The packages of which some types are forbidden and others are not.
    static List<String> packages() {
        return List.of(values()).stream()
                .flatMap(kind -> kind.names.lines())
                .map(Forbidden::packageOf)
                .filter(name -> !coversAllOf(name))
                .distinct()
                .toList();
    }

    static boolean coversAllOf(String packageName) {
        return List.of(values()).stream().anyMatch(kind -> kind.coversPackage(packageName));
    }

    boolean covers(String name) {
        return names.lines().anyMatch(entry -> covers(entry, name));
    }

    /// Whether all of a package is of this kind, so that importing it is a finding by itself.
    boolean coversPackage(String packageName) {
        return names.lines().anyMatch((packageName + ".*")::equals);
    }

    private static boolean covers(String entry, String name) {
        if (!entry.endsWith("*")) {
            return name.equals(entry) || name.startsWith(entry + ".");
        }
        return name.startsWith(entry.substring(0, entry.length() - 1))
                && ALLOWED_TYPES.stream()
                        .noneMatch(type -> name.equals(type) || name.startsWith(type + "."));
    }

    /// What stands before the first capital: `java.util` of `java.util.Timer`.
    private static String packageOf(String name) {
        int at = 0;
        while (at < name.length()
                && !Character.isUpperCase(name.charAt(at))
                && name.charAt(at) != '*') {
            at++;
        }
        return name.substring(0, at - 1);
    }
}
