package dev.verbena.roce;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/// The system calls of Linux that a socket needs, bound by hand: the only native code of this
/// module. Where [NativeAccess] says that they are absent, this class must not be used.
///
/// Calls answer as in C, and a negative answer leaves its reason in the segment that [#errno]
/// reads. One such segment belongs to one caller at a time.
final class Libc {
    private static final AddressLayout POINTER = ValueLayout.ADDRESS;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO =
            STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    private static final MethodHandle SOCKET = call("socket", INT, INT, INT, INT);
    private static final MethodHandle BIND = call("bind", INT, INT, POINTER, INT);
    private static final MethodHandle CONNECT = call("connect", INT, INT, POINTER, INT);
    private static final MethodHandle LISTEN = call("listen", INT, INT, INT);
    private static final MethodHandle ACCEPT4 = call("accept4", INT, INT, POINTER, POINTER, INT);
    private static final MethodHandle SHUTDOWN = call("shutdown", INT, INT, INT);
    private static final MethodHandle GETEUID = call("geteuid", INT);
    private static final MethodHandle GETSOCKNAME = call("getsockname", INT, INT, POINTER, POINTER);
    private static final MethodHandle SETSOCKOPT =
            call("setsockopt", INT, INT, INT, INT, POINTER, INT);
    private static final MethodHandle GETSOCKOPT =
            call("getsockopt", INT, INT, INT, INT, POINTER, POINTER);

    /// The system calls themselves: the library's functions of that name are points where a thread
    /// can be cancelled, which costs on every call and is not used here.
    private static final MethodHandle SYSCALL = call("syscall", LONG, LONG, INT, POINTER, INT);

    /// The same without leaving Java's state, for who looks again and again whether something has
    /// come. It neither waits nor moves more than one datagram to memory that is there, so that a
    /// collector waits for it as long as for a copy of 64 KiB; no reason is kept.
    private static final MethodHandle POLL =
            NativeAccess.bind(
                    "syscall",
                    FunctionDescriptor.of(LONG, LONG, INT, POINTER, INT),
                    Linker.Option.critical(false));

    private static final boolean IS_AMD64 = System.getProperty("os.arch", "").equals("amd64");
    private static final long NUMBER_SENDMSG = IS_AMD64 ? 46 : 211;
    private static final long NUMBER_RECVMSG = IS_AMD64 ? 47 : 212;

    private static final MethodHandle PPOLL = call("ppoll", INT, POINTER, LONG, POINTER, POINTER);
    private static final MethodHandle EPOLL_CREATE1 = call("epoll_create1", INT, INT);
    private static final MethodHandle EPOLL_CTL = call("epoll_ctl", INT, INT, INT, INT, POINTER);

    /// Used without waiting only, as [#POLL].
    private static final MethodHandle EPOLL_WAIT =
            NativeAccess.bind(
                    "epoll_wait",
                    FunctionDescriptor.of(INT, INT, POINTER, INT, INT),
                    Linker.Option.critical(false));

    private static final MethodHandle EVENTFD = call("eventfd", INT, INT, INT);
    private static final MethodHandle READ = call("read", LONG, INT, POINTER, LONG);
    private static final MethodHandle WRITE = call("write", LONG, INT, POINTER, LONG);
    private static final MethodHandle CLOSE = call("close", INT, INT);

    private Libc() {}

    private static MethodHandle call(String name, MemoryLayout result, MemoryLayout... arguments) {
        return NativeAccess.bind(
                name,
                FunctionDescriptor.of(result, arguments),
                Linker.Option.captureCallState("errno"));
    }

    /// Memory for the reason of a failed call.
    static MemorySegment state(Arena arena) {
        return arena.allocate(STATE);
    }

    /// Why the last call with this state failed.
    static int errno(MemorySegment state) {
        return (int) ERRNO.get(state, 0L);
    }

    static int socket(MemorySegment state, int domain, int type, int protocol) {
        try {
            return (int) SOCKET.invokeExact(state, domain, type, protocol);
        } catch (Throwable impossible) {
            throw unexpected(impossible);
        }
    }

    static int bind(MemorySegment state, int socket, MemorySegment address, int length) {
        try {
            return (int) BIND.invokeExact(state, socket, address, length);
        } catch (Throwable impossible) {
            throw unexpected(impossible);
        }
    }

    static int connect(MemorySegment state, int socket, MemorySegment address, int length) {
        try {
            return (int) CONNECT.invokeExact(state, socket, address, length);
        } catch (Throwable impossible) {
            throw unexpected(impossible);
        }
    }

    static int listen(MemorySegment state, int socket, int backlog) {
        try {
            return (int) LISTEN.invokeExact(state, socket, backlog);
        } catch (Throwable impossible) {
            throw unexpected(impossible);
        }
    }

    /// Takes the next connection, without asking for the name of the peer.
    static int accept(MemorySegment state, int socket, int flags) {
        try {
            return (int)
                    ACCEPT4.invokeExact(
                            state, socket, MemorySegment.NULL, MemorySegment.NULL, flags);
        } catch (Throwable impossible) {
            throw unexpected(impossible);
        }
    }

    static int shutdown(MemorySegment state, int socket, int how) {
        try {
            return (int) SHUTDOWN.invokeExact(state, socket, how);
        } catch (Throwable impossible) {
            throw unexpected(impossible);
        }
    }

    /// The user that this process acts for.
    static int geteuid(MemorySegment state) {
        try {
            return (int) GETEUID.invokeExact(state);
        } catch (Throwable impossible) {
            throw unexpected(impossible);
        }
    }

    static int getsockname(
            MemorySegment state, int socket, MemorySegment address, MemorySegment length) {
        try {
            return (int) GETSOCKNAME.invokeExact(state, socket, address, length);
        } catch (Throwable impossible) {
            throw unexpected(impossible);
        }
    }

    static int setsockopt(
            MemorySegment state, int socket, int level, int name, MemorySegment value, int length) {
        try {
            return (int) SETSOCKOPT.invokeExact(state, socket, level, name, value, length);
        } catch (Throwable impossible) {
            throw unexpected(impossible);
        }
    }

    static int getsockopt(
            MemorySegment state,
            int socket,
            int level,
            int name,
            MemorySegment value,
            MemorySegment length) {
        try {
            return (int) GETSOCKOPT.invokeExact(state, socket, level, name, value, length);
        } catch (Throwable impossible) {
            throw unexpected(impossible);
        }
    }

    static long sendmsg(MemorySegment state, int socket, MemorySegment message, int flags) {
        try {
            return (long) SYSCALL.invokeExact(state, NUMBER_SENDMSG, socket, message, flags);
        } catch (Throwable impossible) {
            throw unexpected(impossible);
        }
    }

    static long recvmsg(MemorySegment state, int socket, MemorySegment message, int flags) {
        try {
            return (long) SYSCALL.invokeExact(state, NUMBER_RECVMSG, socket, message, flags);
        } catch (Throwable impossible) {
            throw unexpected(impossible);
        }
    }

    /// Receives what has come, without waiting; negative when there is nothing, or none can come.
    static long recvmsgNow(int socket, MemorySegment message) {
        try {
            return (long) POLL.invokeExact(NUMBER_RECVMSG, socket, message, SocketOption.DONT_WAIT);
        } catch (Throwable impossible) {
            throw unexpected(impossible);
        }
    }

    /// Waits with a time to the nanosecond; no signal is let in.
    static int ppoll(MemorySegment state, MemorySegment files, long count, MemorySegment time) {
        try {
            return (int) PPOLL.invokeExact(state, files, count, time, MemorySegment.NULL);
        } catch (Throwable impossible) {
            throw unexpected(impossible);
        }
    }

    static int epollCreate(MemorySegment state, int flags) {
        try {
            return (int) EPOLL_CREATE1.invokeExact(state, flags);
        } catch (Throwable impossible) {
            throw unexpected(impossible);
        }
    }

    static int epollControl(
            MemorySegment state, int epoll, int operation, int file, MemorySegment event) {
        try {
            return (int) EPOLL_CTL.invokeExact(state, epoll, operation, file, event);
        } catch (Throwable impossible) {
            throw unexpected(impossible);
        }
    }

    /// Looks for one event, without waiting; returns whether there is one.
    static boolean epollLook(int epoll, MemorySegment event) {
        try {
            return (int) EPOLL_WAIT.invokeExact(epoll, event, 1, 0) > 0;
        } catch (Throwable impossible) {
            throw unexpected(impossible);
        }
    }

    /// Whether an event's fields lie without room between them, as the kernel has it on amd64.
    static boolean packsEvents() {
        return IS_AMD64;
    }

    static int eventfd(MemorySegment state, int first, int flags) {
        try {
            return (int) EVENTFD.invokeExact(state, first, flags);
        } catch (Throwable impossible) {
            throw unexpected(impossible);
        }
    }

    static long read(MemorySegment state, int file, MemorySegment to, long length) {
        try {
            return (long) READ.invokeExact(state, file, to, length);
        } catch (Throwable impossible) {
            throw unexpected(impossible);
        }
    }

    static long write(MemorySegment state, int file, MemorySegment from, long length) {
        try {
            return (long) WRITE.invokeExact(state, file, from, length);
        } catch (Throwable impossible) {
            throw unexpected(impossible);
        }
    }

    static int close(MemorySegment state, int file) {
        try {
            return (int) CLOSE.invokeExact(state, file);
        } catch (Throwable impossible) {
            throw unexpected(impossible);
        }
    }

    private static AssertionError unexpected(Throwable thrown) {
        return new AssertionError("a system call does not throw", thrown);
    }
}
