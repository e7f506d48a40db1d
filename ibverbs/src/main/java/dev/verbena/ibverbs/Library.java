package dev.verbena.ibverbs;

/// Functions of a library, called by name, and slowly: for making and ending things. [FastPath] is
/// for moving bytes.
///
/// [NativeLibrary] is one of the system's. The tests of this module have another, which answers in
/// this process.
interface Library {
    /// Kinds of arguments and results; an address is a number.
    enum Kind {
        VOID,
        INT,
        LONG
    }

    /// The result of a call, and its error code if it failed.
    record Answer(long value, int errno) {}

    /// One function.
    interface Function {
        /// Calls it; arguments that are an `int` in C are cut down to one.
        Answer call(long... arguments);
    }

    /// A function of the library.
    ///
    /// @throws IllegalArgumentException when it has none of this name
    Function function(String symbol, Kind result, Kind... arguments);

    /// A function that a structure of the library points to.
    Function pointer(String title, long address, Kind result, Kind... arguments);
}
