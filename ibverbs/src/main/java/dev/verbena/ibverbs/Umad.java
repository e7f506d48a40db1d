package dev.verbena.ibverbs;

import static dev.verbena.ibverbs.Library.Kind.INT;
import static dev.verbena.ibverbs.Library.Kind.LONG;

import dev.verbena.ibverbs.Library.Function;
import dev.verbena.verbs.UnsupportedException;

/// The functions of libibumad: management datagrams through the kernel. Results below zero are
/// error codes.
final class Umad {
    private static final String NAME = "libibumad.so.3";

    /// Without a wait for another manager, which may run for ever.
    private static final int READ_WRITE = 2 | 0x800;

    private static final String PACKAGE =
            "install it: apt install libibumad3, or dnf install libibumad";

    private final Function init;
    private final Function openPort;
    private final Function closePort;
    private final Function register;
    private final Function size;
    private final Function data;
    private final Function status;
    private final Function setAddress;
    private final Function send;
    private final Function receive;
    private final Function poll;
    private final Function managerPath;
    private final Function open;
    private final Function close;

    /// The functions of a library and of the process's C library, which a preloaded one may
    /// replace; of one that lacks some, it is an `IllegalArgumentException`.
    Umad(Library library, Library process) {
        init = library.function("umad_init", INT);
        openPort = library.function("umad_open_port", INT, LONG, INT);
        closePort = library.function("umad_close_port", INT, INT);
        register = library.function("umad_register", INT, INT, INT, INT, INT, LONG);
        size = library.function("umad_size", LONG);
        data = library.function("umad_get_mad", LONG, LONG);
        status = library.function("umad_status", INT, LONG);
        setAddress = library.function("umad_set_addr", INT, LONG, INT, INT, INT, INT);
        send = library.function("umad_send", INT, INT, INT, LONG, INT, INT, INT);
        receive = library.function("umad_recv", INT, INT, LONG, LONG, INT);
        poll = library.function("umad_poll", INT, INT, INT);
        managerPath = library.function("umad_get_issm_path", INT, LONG, INT, LONG, INT);
        open = process.function("open", INT, LONG, INT);
        close = process.function("close", INT, INT);
    }

    /// That of this machine.
    static Umad ofThisMachine() {
        String absence = NativeLibrary.absence();
        if (!absence.isEmpty()) {
            throw new UnsupportedException(NAME, "it cannot be used: " + absence, PACKAGE);
        }
        try {
            return new Umad(NativeLibrary.load(NAME), NativeLibrary.process());
        } catch (IllegalArgumentException missing) {
            throw new UnsupportedException(NAME, "it is missing or too old", PACKAGE);
        }
    }

    private static int number(Function function, long... arguments) {
        return (int) function.call(arguments).value();
    }

    int init() {
        return number(init);
    }

    /// @param name address of the device's name
    int openPort(long name, int port) {
        return number(openPort, name, port);
    }

    void closePort(int file) {
        closePort.call(file);
    }

    /// @param methods address of a bit for each of 128 methods that may come unasked
    int register(int file, int managementClass, int version, long methods) {
        return number(register, file, managementClass, version, 0, methods);
    }

    /// Bytes before a datagram in a buffer.
    int headerBytes() {
        return number(size);
    }

    /// Where the datagram of a buffer begins.
    long data(long buffer) {
        return data.call(buffer).value();
    }

    /// 0, or why a request that was sent has come back.
    int status(long buffer) {
        return number(status, buffer);
    }

    void setAddress(long buffer, int lid, int pair, int level, int key) {
        setAddress.call(buffer, lid, pair, level, key);
    }

    int send(int file, int agent, long buffer, int bytes, int timeoutMs) {
        return number(send, file, agent, buffer, bytes, timeoutMs, 0);
    }

    /// @param length address of the room for the datagram, and then of its length
    int receive(int file, long buffer, long length, int timeoutMs) {
        return number(receive, file, buffer, length, timeoutMs);
    }

    int poll(int file, int timeoutMs) {
        return number(poll, file, timeoutMs);
    }

    /// Marks a port as that of a subnet manager, which it is while the file is open that the kernel
    /// has for this.
    ///
    /// @param path address of room for the file's name
    /// @return the file
    int openManager(long name, int port, long path, int room) {
        int found = number(managerPath, name, port, path, room);
        if (found < 0) {
            return found;
        }
        Library.Answer opened = open.call(path, READ_WRITE);
        return opened.value() < 0 ? -opened.errno() : (int) opened.value();
    }

    void closeManager(int manager) {
        close.call(manager);
    }
}
