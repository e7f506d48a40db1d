package dev.verbena.cli.explain;

import dev.verbena.verbs.CompletionStatus;
import java.util.List;

/// Causes that lie with the network or the peer.
final class RemoteCauses {
    private static final List<Branch> RETRY =
            List.of(
                    Branch.of(
                            "nothing arrives: right from the first message",
                            new Cause(
                                    "The two sides use different RoCE versions, or a GID that stays"
                                            + " on its link (fe80::).",
                                    "verbena doctor, note VD404, on both hosts",
                                    "Use the index of an IPv4 GID of type RoCE v2 on both sides."),
                            new Cause(
                                    "A firewall, or a rule of a cloud, drops UDP port 4791.",
                                    "iptables -S; nft list ruleset; tcpdump -ni DEV udp port 4791"
                                            + " (of a NIC: the switch's mirror)",
                                    "Let UDP 4791 through, in both directions."),
                            new Cause(
                                    "There is no route, or the VLAN is another one.",
                                    "ip route get PEER; ping -I DEV PEER",
                                    "Give both the same VLAN, or a router between that passes"
                                            + " UDP."),
                            new Cause(
                                    "The peer's queue pair is not in RTR yet, or its number or PSN"
                                            + " was sent wrongly.",
                                    "rdma resource show qp, on the peer: state, rqpn, rq-psn",
                                    "Connect both before the first request; exchange all of it.")),
                    Branch.of(
                            "small messages arrive, large ones do not",
                            new Cause(
                                    "The path MTU is larger than a link on the way carries.",
                                    "ping -M do -s 4128 PEER",
                                    "Lower the path MTU of the queue pairs, or raise the MTU of all"
                                            + " links to 4,200 (VD501).")),
                    Branch.of(
                            "it worked for a while",
                            new Cause(
                                    "The peer's process ended, or its queue pair failed first.",
                                    "the peer's log: its first status that is not 5",
                                    "Fix what the peer reports; this side only waited for it."),
                            new Cause(
                                    "Packets are lost under load: the lossless class is not"
                                            + " configured from end to end.",
                                    "ethtool -S DEV | grep -e discard -e pause; VD307, VD701,"
                                            + " VD702",
                                    "Same DSCP, PFC priority and ECN on NICs and switches."),
                            new Cause(
                                    "A link went down, and its GID came back at another index.",
                                    "dmesg | grep -i link; note VD306",
                                    "Look the index up at each connection."),
                            new Cause(
                                    "The timeout is shorter than a pause under congestion.",
                                    "timeout and retry_cnt of the queue pair: 4.096 µs × 2^timeout",
                                    "timeout 18 to 20 with retry_cnt 7 is usual for large"
                                            + " fabrics.")));

    private static final List<Branch> NOT_READY =
            Branch.only(
                    new Cause(
                            "The peer has posted no receive, or fewer than come at a time.",
                            "hw_counters: rnr_nak_retry_err, out_of_buffer (VD307)",
                            "Post receives before connecting; post again before answering."),
                    new Cause(
                            "rnr_retry is small: 0 gives up at once.",
                            "rnr_retry of the queue pair that sends",
                            "7 waits for ever; min_rnr_timer of the peer is how long each time."),
                    new Cause(
                            "A WRITE with immediate takes a receive too, which is easily"
                                    + " forgotten.",
                            "the number of immediates and of receives",
                            "Post a receive for each, even an empty one."));

    private static final List<Branch> ACCESS =
            Branch.only(
                    new Cause(
                            "The remote key is stale: the peer registered again, or closed it.",
                            "when the key was sent, and when the region was closed",
                            "Send address and key anew after each registration."),
                    new Cause(
                            "The range leaves the region: a wrong address, offset or length.",
                            "address + length against what the peer registered",
                            "Mind the byte order of the address in the exchange."),
                    new Cause(
                            "The region lacks the right.",
                            "access flags at registration: REMOTE_WRITE, REMOTE_READ,"
                                    + " REMOTE_ATOMIC",
                            "Register with it; REMOTE_WRITE and REMOTE_ATOMIC need LOCAL_WRITE."),
                    new Cause(
                            "Region and queue pair of the peer have different protection domains.",
                            "how many domains the peer opens",
                            "Make both of one domain."),
                    new Cause(
                            "The peer's queue pair does not allow the operation.",
                            "qp_access_flags at INIT on the peer",
                            "Set the same rights there."));

    private static final List<Branch> INVALID =
            Branch.only(
                    new Cause(
                            "A message is longer than the receive that it met.",
                            "the peer's completion: status 1 there says so",
                            "Post receives for the longest message."),
                    new Cause(
                            "More READs or atomics are in flight than the peer answers.",
                            "max_rd_atomic here, max_dest_rd_atomic there",
                            "Not more here than there; 16 is what most NICs have."),
                    new Cause(
                            "The peer's queue pair does not allow the operation.",
                            "qp_access_flags at INIT on the peer",
                            "Set REMOTE_READ, REMOTE_WRITE, REMOTE_ATOMIC as used."),
                    new Cause(
                            "An atomic at an address that is no multiple of 8.",
                            "the address modulo 8",
                            "Align it."));

    private static final List<Branch> OPERATION =
            Branch.only(
                    new Cause(
                            "The peer's own memory failed it: its receive names a bad key.",
                            "the peer's completions: status 4 there",
                            "Fix the peer's receive requests."),
                    new Cause(
                            "Memory of the peer cannot be read: a GPU's, or pages on demand.",
                            "dmesg of the peer; nvidia-peermem or dma-buf loaded?",
                            "Register host memory to tell the two apart."));

    private static final List<Branch> RESPONSE =
            Branch.only(
                    new Cause(
                            "The path MTUs differ, so answers have another number of packets.",
                            "path_mtu of both queue pairs",
                            "Take the smaller one on both."),
                    new Cause(
                            "A stale answer of an earlier connection with the same numbers.",
                            "PSNs: do they start at random?",
                            "Draw each first PSN at random."),
                    new Cause(
                            "The peer's implementation is wrong, or a third party sends.",
                            "verbena decode --strict CAPTURE",
                            "Send us the capture."));

    private RemoteCauses() {}

    static List<Branch> of(CompletionStatus status) {
        return switch (status) {
            case RETRY_EXCEEDED, RESPONSE_TIMEOUT -> RETRY;
            case RNR_RETRY_EXCEEDED -> NOT_READY;
            case REMOTE_ACCESS_ERROR -> ACCESS;
            case REMOTE_INVALID_REQUEST -> INVALID;
            case REMOTE_OPERATION_ERROR -> OPERATION;
            case BAD_RESPONSE -> RESPONSE;
            default -> LocalCauses.of(status);
        };
    }
}
