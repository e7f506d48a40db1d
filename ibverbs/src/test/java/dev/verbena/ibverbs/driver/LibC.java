package dev.verbena.ibverbs.driver;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// Calls of Linux that a driver needs: files that a thread can wait on, and the question whether
/// memory exists.
@SuppressWarnings("restricted")
final class LibC {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final int PAGE = 4096;
    private static final int GET_FLAGS = 3;
    private static final int NON_BLOCKING = 0x800;

    /// EFD_CLOEXEC and EFD_SEMAPHORE: each read takes 1.
    private static final int COUNTS = 0x80000 | 1;

    private static final MethodHandle EVENTFD = bind("eventfd", INT, INT, INT);
    private static final MethodHandle FCNTL = bind("fcntl", INT, INT, INT, LONG);
    private static final MethodHandle READ = bind("read", LONG, INT, LONG, LONG);
    private static final MethodHandle WRITE = bind("write", LONG, INT, LONG, LONG);
    private static final MethodHandle CLOSE = bind("close", INT, INT);
    private static final MethodHandle MINCORE = bind("mincore", INT, LONG, LONG, LONG);

    private LibC() {}

    private static MethodHandle bind(String name, ValueLayout result, ValueLayout... arguments) {
        Linker linker = Linker.nativeLinker();
        MemorySegment address = linker.defaultLookup().find(name).orElseThrow();
        return linker.downcallHandle(address, FunctionDescriptor.of(result, arguments));
    }

    /// A file that can be read as often as it was written to.
    static int eventFile() {
        try {
            return (int) EVENTFD.invokeExact(0, COUNTS);
        } catch (Throwable impossible) {
            throw new AssertionError(impossible);
        }
    }

    static void add(int file) {
        move(WRITE, file);
    }

    /// Takes 1 off; only when it was added before, or the call waits.
    static void take(int file) {
        move(READ, file);
    }

    private static void move(MethodHandle call, int file) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment one = arena.allocate(LONG);
            one.set(LONG, 0, 1);
            long moved = (long) call.invokeExact(file, one.address(), LONG.byteSize());
            if (moved != LONG.byteSize()) {
                throw new AssertionError("file " + file + " moved " + moved + " bytes");
            }
        } catch (RuntimeException | Error thrown) {
            throw thrown;
        } catch (Throwable impossible) {
            throw new AssertionError(impossible);
        }
    }

    static boolean waits(int file) {
        try {
            return ((int) FCNTL.invokeExact(file, GET_FLAGS, 0L) & NON_BLOCKING) == 0;
        } catch (Throwable impossible) {
            throw new AssertionError(impossible);
        }
    }

    static void close(int file) {
        try {
            int reason = (int) CLOSE.invokeExact(file);
            if (reason != 0) {
                throw new AssertionError("file " + file + " was closed by another");
            }
        } catch (RuntimeException | Error thrown) {
            throw thrown;
        } catch (Throwable impossible) {
            throw new AssertionError(impossible);
        }
    }

    /// Whether all of it belongs to this process.
    static boolean isMemory(long address, long bytes) {
        long first = address / PAGE * PAGE;
        long pages = (address + bytes - first + PAGE - 1) / PAGE;
        try (Arena arena = Arena.ofConfined()) {
            long answers = arena.allocate(pages).address();
            return (int) MINCORE.invokeExact(first, pages * PAGE, answers) == 0;
        } catch (Throwable impossible) {
            throw new AssertionError(impossible);
        }
    }
}
