package dev.verbena.cli;

import dev.verbena.verbs.Endpoint;
import dev.verbena.verbs.RemoteSlice;
import java.util.List;

/// What one side tells the other about itself: its queue pairs, and the memory for the test.
record PerfPeer(List<Endpoint> endpoints, RemoteSlice memory) {}
