package dev.verbena.ibverbs;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.util.Locale;

/// A shared library of the system's.
final class NativeLibrary implements Library {
    private static final MemoryLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO =
            STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    private final String name;
    private final SymbolLookup symbols;

    private NativeLibrary(String name, SymbolLookup symbols) {
        this.name = name;
        this.symbols = symbols;
    }

    /// Why no library can be used here; empty when nothing speaks against it.
    static String absence() {
        String system = System.getProperty("os.name", "");
        String machine = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
        if (!system.equals("Linux")) {
            return "this is " + system + ", not Linux";
        }
        if (!machine.equals("amd64") && !machine.equals("aarch64")) {
            return "structures are known for amd64 and aarch64, not " + machine;
        }
        Module module = NativeLibrary.class.getModule();
        if (!module.isNativeAccessEnabled()) {
            String who = module.isNamed() ? module.getName() : "ALL-UNNAMED";
            return "native access is not allowed; start java with --enable-native-access=" + who;
        }
        return "";
    }

    /// Loads a library for good.
    ///
    /// @throws IllegalArgumentException when there is none of this name
    static Library load(String name) {
        return new NativeLibrary(name, Native.library(name));
    }

    /// The library of C itself.
    static Library system() {
        return new NativeLibrary("libc", Linker.nativeLinker().defaultLookup());
    }

    /// What the process itself calls by a name: in most the library of C, but a library that was
    /// preloaded comes first.
    static Library process() {
        Library own = system();
        Function find = own.function("dlsym", Kind.LONG, Kind.LONG, Kind.LONG);
        return new Library() {
            @Override
            public Function function(String symbol, Kind result, Kind... arguments) {
                long address;
                try (Arena arena = Arena.ofConfined()) {
                    address = find.call(0, arena.allocateFrom(symbol).address()).value();
                }
                if (address == 0) {
                    throw new IllegalArgumentException("the process has no function " + symbol);
                }
                return own.pointer(symbol, address, result, arguments);
            }

            @Override
            public Function pointer(String title, long address, Kind result, Kind... arguments) {
                return own.pointer(title, address, result, arguments);
            }
        };
    }

    @Override
    public Function function(String symbol, Kind result, Kind... arguments) {
        MemorySegment address =
                symbols.find(symbol)
                        .orElseThrow(
                                () ->
                                        new IllegalArgumentException(
                                                name + " has no function " + symbol));
        return new NativeFunction(symbol, address, result, arguments);
    }

    @Override
    public Function pointer(String title, long address, Kind result, Kind... arguments) {
        return new NativeFunction(title, MemorySegment.ofAddress(address), result, arguments);
    }

    private static MemoryLayout layout(Kind kind) {
        return kind == Kind.LONG ? ValueLayout.JAVA_LONG : ValueLayout.JAVA_INT;
    }

    /// One function. Its calls allocate.
    private static final class NativeFunction implements Function {
        private final String title;
        private final MethodHandle handle;

        NativeFunction(String title, MemorySegment address, Kind result, Kind... arguments) {
            this.title = title;
            MemoryLayout[] layouts = new MemoryLayout[arguments.length];
            for (int i = 0; i < arguments.length; i++) {
                layouts[i] = layout(arguments[i]);
            }
            FunctionDescriptor descriptor =
                    result == Kind.VOID
                            ? FunctionDescriptor.ofVoid(layouts)
                            : FunctionDescriptor.of(layout(result), layouts);
            MethodHandle exact =
                    Native.bind(address, descriptor, Linker.Option.captureCallState("errno"));
            MethodType numbers =
                    MethodType.genericMethodType(arguments.length + 1)
                            .changeReturnType(long.class)
                            .changeParameterType(0, MemorySegment.class);
            for (int i = 0; i < arguments.length; i++) {
                numbers = numbers.changeParameterType(i + 1, long.class);
            }
            handle =
                    MethodHandles.explicitCastArguments(exact, numbers)
                            .asSpreader(long[].class, arguments.length);
        }

        @Override
        public Answer call(long... arguments) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment state = arena.allocate(STATE);
                long value = (long) handle.invokeExact(state, arguments);
                return new Answer(value, (int) ERRNO.get(state, 0L));
            } catch (Throwable impossible) {
                throw new AssertionError(title + " does not throw", impossible);
            }
        }
    }
}
