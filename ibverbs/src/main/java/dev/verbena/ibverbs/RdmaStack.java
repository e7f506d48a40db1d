package dev.verbena.ibverbs;

import java.nio.file.Path;
import java.util.function.Function;
import java.util.function.LongFunction;

/// All that this module knows of the outside: two libraries, the driver's functions, and the
/// kernel's files about devices.
///
/// A device has the stack that it was opened with; programs can open devices of this machine only.
///
/// @param verbs libibverbs
/// @param manager librdmacm, for a device of this name; an exception where there is none
/// @param fast the driver's functions of a context, by its address
/// @param sysfs the directory of all devices
record RdmaStack(
        Verbs verbs, Function<String, Cm> manager, LongFunction<FastPath> fast, Path sysfs) {
    /// That of this machine; ask [Verbs#absence] before.
    static RdmaStack ofThisMachine() {
        return new RdmaStack(Verbs.ofThisMachine(), Cm::ofThisMachine, FastPath::new, Sysfs.ROOT);
    }

    /// librdmacm, for a device that messages call so.
    Cm cm(String who) {
        return manager.apply(who);
    }
}
