package dev.verbena.fabric;

import java.util.List;

/// Flows that belong together, beside others on the same fabric.
///
/// @param name what results call it
/// @param protocol what carries its messages
public record Workload(String name, List<Flow> flows, Protocol protocol) {
    /// What carries messages.
    public enum Protocol {
        /// RDMA WRITE over a reliable connection.
        RDMA,
        /// A TCP connection with Reno's congestion control; only on Ethernet.
        TCP
    }

    public Workload {
        flows = List.copyOf(flows);
        if (flows.isEmpty()) {
            throw new IllegalArgumentException("workload " + name + " has no flows");
        }
        if (protocol == Protocol.TCP) {
            flows.forEach(it -> requirePlain(name, it));
        }
    }

    private static void requirePlain(String name, Flow flow) {
        if (flow.untilPs() != Flow.ONCE || !flow.after().isNothing()) {
            throw new IllegalArgumentException(
                    "workload %s: a TCP flow is sent once, and starts at a time".formatted(name));
        }
    }

    public static Workload rdma(String name, List<Flow> flows) {
        return new Workload(name, flows, Protocol.RDMA);
    }
}
