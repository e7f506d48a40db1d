package dev.verbena.roce;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import java.util.Locale;

/// Binds functions of the system, and tells beforehand whether the JVM and the system allow it:
/// [Libc] cannot be initialised where they do not.
@SuppressWarnings("restricted") // the one place that binds native code
final class NativeAccess {
    private static final String ABSENCE = findAbsence();

    private NativeAccess() {}

    /// Why the calls of [Libc] cannot be used here; empty when they can.
    static String absence() {
        return ABSENCE;
    }

    /// A function of the C library.
    static MethodHandle bind(String name, FunctionDescriptor descriptor, Linker.Option option) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), descriptor, option);
    }

    private static String findAbsence() {
        String system = System.getProperty("os.name", "");
        String machine = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
        if (!system.equals("Linux")) {
            return "this is " + system + ", not Linux";
        }
        if (!machine.equals("amd64") && !machine.equals("aarch64")) {
            return "numbers of socket options are known for amd64 and aarch64, not " + machine;
        }
        if (!isAllowed()) {
            Module module = NativeAccess.class.getModule();
            String name = module.isNamed() ? module.getName() : "ALL-UNNAMED";
            return "native access is not allowed; start java with --enable-native-access=" + name;
        }
        return "";
    }

    /// Tries it: a JVM that only warns about native access answers `isNativeAccessEnabled` with
    /// false until the first use.
    private static boolean isAllowed() {
        try {
            Linker.nativeLinker().downcallHandle(FunctionDescriptor.ofVoid());
            return true;
        } catch (IllegalCallerException denied) {
            return false;
        }
    }
}
