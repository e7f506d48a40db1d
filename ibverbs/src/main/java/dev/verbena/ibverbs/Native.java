package dev.verbena.ibverbs;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;

/// The one place that the JVM must be allowed to trust: libraries, functions and memory of others.
@SuppressWarnings("restricted") // what this module is for
final class Native {
    private Native() {}

    /// All memory that there is, since structures of a library lie anywhere.
    static MemorySegment everything() {
        return MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
    }

    /// Loads a library for good.
    ///
    /// @throws IllegalArgumentException when there is none of this name
    static SymbolLookup library(String name) {
        return SymbolLookup.libraryLookup(name, Arena.global());
    }

    /// A function at a fixed address.
    static MethodHandle bind(
            MemorySegment address, FunctionDescriptor descriptor, Linker.Option... options) {
        return Linker.nativeLinker().downcallHandle(address, descriptor, options);
    }

    /// A function whose address is its first argument.
    static MethodHandle bind(FunctionDescriptor descriptor, Linker.Option... options) {
        return Linker.nativeLinker().downcallHandle(descriptor, options);
    }
}
