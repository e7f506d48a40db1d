package dev.verbena.cli;

import dev.verbena.verbs.Endpoint;
import dev.verbena.verbs.RemoteSlice;
import java.util.List;

/// The data that one side sends to the other: its queue pairs, and its memory for the test.
record PerfPeer(List<Endpoint> endpoints, RemoteSlice memory) {}
