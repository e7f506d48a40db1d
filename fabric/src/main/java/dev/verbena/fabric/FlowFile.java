package dev.verbena.fabric;

import java.util.List;

/// Flows in the text form of htsim's connection matrices:
///
/// ```text
/// Nodes 128
/// Connections 3
/// Triggers 1
/// 0->34 id 1 start 0 size 2000000 send_done_trigger 7
/// 1->35 id 2 start 0 size 2000000 recv_done_trigger 7
/// 34->2 id 3 trigger 7 size 2000000
/// trigger id 7 barrier count 2
/// ```
///
/// Times are in picoseconds. A flow fires its `send_done_trigger` when it is over at its sender,
/// and its `recv_done_trigger` when it is over at its receiver. Several flows may fire one trigger,
/// and several may wait for it:
///
/// - `oneshot` starts all of them when it is fired first. A trigger without a line is one.
/// - `multishot` starts one of them each time, in the order of their lines.
/// - `barrier count N` starts all of them when it is fired the Nth time.
///
/// @param nodes number of hosts that the file names
public record FlowFile(int nodes, List<Flow> flows) {
    public FlowFile {
        flows = List.copyOf(flows);
    }

    /// Reads the lines of a file.
    ///
    /// @throws IllegalArgumentException with the number of a malformed line, or of one that does
    ///   not fit the others: a flow that never starts, a trigger that no flow fires or waits for
    public static FlowFile parse(List<String> lines) {
        return new FlowParser(lines).parse();
    }
}
