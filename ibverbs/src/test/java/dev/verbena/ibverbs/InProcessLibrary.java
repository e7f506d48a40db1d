package dev.verbena.ibverbs;

import dev.verbena.ibverbs.driver.InProcessDriver;
import dev.verbena.ibverbs.driver.InProcessDriver.Result;

/// A driver in this process as the provider calls it.
record InProcessLibrary(InProcessDriver driver) implements Library {
    @Override
    public Function function(String symbol, Kind result, Kind... arguments) {
        if (!driver.has(symbol)) {
            throw new IllegalArgumentException("the driver has no function " + symbol);
        }
        return given -> answer(driver.call(symbol, cut(arguments, given)));
    }

    @Override
    public Function pointer(String title, long address, Kind result, Kind... arguments) {
        return given -> answer(driver.pointed(address, cut(arguments, given)));
    }

    private static Answer answer(Result result) {
        return new Answer(result.value(), result.errno());
    }

    /// As a call in C does with what is an `int` there.
    private static long[] cut(Kind[] kinds, long... given) {
        long[] arguments = given.clone();
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = kinds[i] == Kind.INT ? (int) given[i] : given[i];
        }
        return arguments;
    }
}
