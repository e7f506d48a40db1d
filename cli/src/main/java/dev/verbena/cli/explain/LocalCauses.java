package dev.verbena.cli.explain;

import dev.verbena.verbs.CompletionStatus;
import java.util.List;

/// Causes that lie in this program or its device.
final class LocalCauses {
    private static final List<Branch> FLUSH =
            Branch.only(
                    new Cause(
                            "Another request failed before: that one has the cause, this is not"
                                    + " it.",
                            "the first completion of the queue pair that is neither 0 nor 5, in"
                                    + " both of its completion queues, on both sides",
                            "verbena explain that one."),
                    new Cause(
                            "The program, or a disconnect, moved the queue pair to ERROR.",
                            "the order of closing; DISCONNECTED events of rdma_cm",
                            "Nothing to mend: receives that were left over come back so."),
                    new Cause(
                            "The responder failed, which has no completion: only an event.",
                            "asynchronous events: IBV_EVENT_QP_ACCESS_ERR, IBV_EVENT_QP_REQ_ERR",
                            "Read the events; the peer has the status."));

    private static final List<Branch> LENGTH =
            Branch.only(
                    new Cause(
                            "The peer sent more than the receive request has room for.",
                            "the length that the peer sent against the receive's",
                            "Receives for the longest message, or agree on less."),
                    new Cause(
                            "A datagram: its receive needs 40 bytes more, for the global header.",
                            "the length of receives of UD queue pairs",
                            "Add 40 bytes, and start reading behind them."),
                    new Cause(
                            "A datagram is longer than the MTU of the port.",
                            "active_mtu: verbena devinfo, ibv_devinfo",
                            "Cut it, or use a connection."));

    private static final List<Branch> PROTECTION =
            Branch.only(
                    new Cause(
                            "The range of the request leaves the registered region.",
                            "address, length and local key of each part of the request",
                            "Stay inside; register more."),
                    new Cause(
                            "The local key is of a region that was closed, or of another domain.",
                            "what is closed while work is in flight",
                            "Close regions after their last completion."),
                    new Cause(
                            "The region lacks LOCAL_WRITE, and a receive, READ or atomic writes.",
                            "access flags at registration",
                            "Register with LOCAL_WRITE."),
                    new Cause(
                            "Memory of a GPU that the NIC cannot reach: ACS or IOMMU in between.",
                            "lspci -vvv | grep ACSCtl; note VD604",
                            "Turn ACS off on the bridges, or use host memory."));

    private static final List<Branch> QUEUE_PAIR =
            Branch.only(
                    new Cause(
                            "The request does not fit the queue pair: too many parts, too much"
                                    + " inline, an operation that its type lacks.",
                            "max_send_sge, max_inline_data, qp_type",
                            "Ask for more at creation, or post less."),
                    new Cause(
                            "An address handle of another domain, or to a GID that is not there.",
                            "the handle's domain and sgid_index",
                            "Make it again from the port's present GIDs."),
                    new Cause(
                            "A local invalidate, or a fast registration, of a key that is in use.",
                            "the state of the key",
                            "Invalidate once, after the last use."));

    private static final List<Branch> ACCESS =
            Branch.only(
                    new Cause(
                            "A WRITE with immediate came in for memory without REMOTE_WRITE.",
                            "access flags of the region and of the queue pair",
                            "Give both the right."));

    private static final List<Branch> BIND =
            Branch.only(
                    new Cause(
                            "The region lacks WINDOW_BIND, or the window wants more than it has.",
                            "access flags of region and window",
                            "Register with WINDOW_BIND (IBV_ACCESS_MW_BIND)."),
                    new Cause(
                            "Region, window and queue pair are not of one domain.",
                            "the domains of the three",
                            "Make them of one."));

    private static final List<Branch> ABORT =
            Branch.only(
                    new Cause(
                            "An unreliable message lost a packet after it had a receive of a shared"
                                    + " queue.",
                            "the network's loss; whether RC would do",
                            "Post the receive again: what lies in it is no message."),
                    new Cause(
                            "The peer's queue pair was reset in the middle.",
                            "the peer's log",
                            "Connect again."));

    private static final List<Branch> FATAL =
            Branch.only(
                    new Cause(
                            "The device or its firmware failed, or was reset or pulled.",
                            "dmesg | grep -i -e mlx -e rdma -e fatal",
                            "Open the device anew; firmware of the day; the vendor."));

    private static final List<Branch> GENERAL =
            Branch.only(
                    new Cause(
                            "Something of the device's own kind.",
                            "the vendor error, and dmesg",
                            "Ask the vendor, with firmware version and dump."));

    private LocalCauses() {}

    static List<Branch> of(CompletionStatus status) {
        return switch (status) {
            case LOCAL_LENGTH_ERROR -> LENGTH;
            case LOCAL_QUEUE_PAIR_ERROR -> QUEUE_PAIR;
            case LOCAL_PROTECTION_ERROR -> PROTECTION;
            case FLUSHED -> FLUSH;
            case WINDOW_BIND_ERROR -> BIND;
            case LOCAL_ACCESS_ERROR -> ACCESS;
            case REMOTE_ABORTED -> ABORT;
            case FATAL -> FATAL;
            case GENERAL -> GENERAL;
            default -> List.of();
        };
    }
}
