package dev.verbena.ibverbs.driver;

import java.util.ArrayList;
import java.util.List;

/// Calls that a library in C does not survive, or that leave something behind: use of an object
/// that was destroyed, memory taken back while a request is on it, an event that was not
/// acknowledged. The driver goes on, and a test that ends with one fails.
public final class Misuse {
    private final List<String> found = new ArrayList<>();

    Misuse() {}

    synchronized void add(String what) {
        found.add(what);
    }

    /// All of it until now.
    public synchronized List<String> found() {
        return List.copyOf(found);
    }

    /// Forgets it, for a test that misuses the driver on purpose.
    public synchronized void forget() {
        found.clear();
    }
}
