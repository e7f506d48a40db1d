package dev.verbena.ibverbs.driver;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/// The functions that a context points to, as C calls them: addresses of code that enters Java.
///
/// They are made once and serve all drivers; a driver is found by the address of its object. An
/// exception must not leave them, since it would end the JVM.
final class Stubs {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

    static final long POLL_CQ = stub("pollQueue", INT, LONG, INT, LONG);
    static final long REQ_NOTIFY_CQ = stub("arm", INT, LONG, INT);
    static final long POST_SEND = stub("postSend", INT, LONG, LONG, LONG);
    static final long POST_RECV = stub("postReceive", INT, LONG, LONG, LONG);
    static final long POST_SRQ_RECV = stub("postShared", INT, LONG, LONG, LONG);

    /// These are called by [InProcessDriver#pointed], since they answer with an error code besides
    /// their result, which Java cannot set for its caller.
    static final long ALLOC_MW = Arena.global().allocate(1).address();

    static final long DEALLOC_MW = Arena.global().allocate(1).address();

    private static final Map<Long, InProcessDriver> DRIVERS = new ConcurrentHashMap<>();

    private Stubs() {}

    @SuppressWarnings("restricted")
    private static long stub(String method, MemoryLayout result, ValueLayout... arguments) {
        Class<?>[] types = new Class<?>[arguments.length];
        for (int i = 0; i < types.length; i++) {
            types[i] = arguments[i].carrier();
        }
        try {
            var handle =
                    MethodHandles.lookup()
                            .findStatic(
                                    Stubs.class, method, MethodType.methodType(int.class, types));
            return Linker.nativeLinker()
                    .upcallStub(handle, FunctionDescriptor.of(result, arguments), Arena.global())
                    .address();
        } catch (ReflectiveOperationException missing) {
            throw new ExceptionInInitializerError(missing);
        }
    }

    static void add(long object, InProcessDriver driver) {
        DRIVERS.put(object, driver);
    }

    static void remove(InProcessDriver driver) {
        DRIVERS.values().removeIf(driver::equals);
    }

    @SuppressWarnings("unused") // by its stub
    private static int pollQueue(long queue, int most, long to) {
        return enter(queue, driver -> driver.poll(queue, most, to), -1);
    }

    @SuppressWarnings("unused") // by its stub
    private static int arm(long queue, int solicitedOnly) {
        return enter(queue, driver -> driver.arm(queue, solicitedOnly != 0), Refusal.EINVAL);
    }

    @SuppressWarnings("unused") // by its stub
    private static int postSend(long pair, long first, long bad) {
        return enter(pair, driver -> driver.postSend(pair, first, bad), Refusal.EINVAL);
    }

    @SuppressWarnings("unused") // by its stub
    private static int postReceive(long pair, long first, long bad) {
        return enter(pair, driver -> driver.postReceive(pair, first, bad), Refusal.EINVAL);
    }

    @SuppressWarnings("unused") // by its stub
    private static int postShared(long queue, long first, long bad) {
        return enter(queue, driver -> driver.postShared(queue, first, bad), Refusal.EINVAL);
    }

    private static int enter(long object, ToIntFunction<InProcessDriver> call, int failure) {
        @Nullable InProcessDriver driver = DRIVERS.get(object);
        try {
            return driver == null ? failure : call.applyAsInt(driver);
        } catch (Throwable thrown) {
            if (driver != null) {
                driver.misuse.add("a call of the fast path threw " + thrown);
            }
            return failure;
        }
    }
}
