package dev.verbena.roce;

/// How a device reaches its sockets.
enum SocketPath {
    /// [#FOREIGN] where the system and the JVM allow it, else [#PORTABLE].
    AUTOMATIC,

    /// Linux' system calls.
    FOREIGN,

    /// The JDK's channels.
    PORTABLE
}
