package dev.verbena.cli.explain;

import java.util.List;

/// Errors of calls that set RDMA up, with Linux' numbers and words for them.
enum Errno {
    EPERM(
            1,
            "Operation not permitted",
            "The kernel does not let this process do that.",
            new Cause(
                    "A raw packet queue pair, a flow rule or a privileged queue key without the"
                            + " capability.",
                    "grep CapEff /proc/self/status: bit 13 is CAP_NET_RAW",
                    "Run with CAP_NET_RAW, or without what needs it."),
            new Cause(
                    "A container's device rules refuse the file.",
                    "verbena doctor: VD103, VD104",
                    "docker run --device=/dev/infiniband …")),
    ENOENT(
            2,
            "No such file or directory",
            "A file of the device, or a library's provider, is not there.",
            new Cause(
                    "/dev/infiniband is empty here.",
                    "verbena doctor: VD103, VD105",
                    "Hand the files into the container, or load ib_uverbs and rdma_ucm."),
            new Cause(
                    "The provider of the device is not installed.",
                    "verbena doctor: VD203",
                    "apt-get install ibverbs-providers")),
    ENOMEM(
            12,
            "Cannot allocate memory",
            "Mostly not memory but the right to lock it: ibv_reg_mr, ibv_create_cq, ibv_create_qp.",
            new Cause(
                    "The limit of locked memory is too low.",
                    "ulimit -l; verbena doctor: VD601, VD602",
                    "ulimit -l unlimited; LimitMEMLOCK=infinity; --ulimit memlock=-1"),
            new Cause(
                    "More was asked for than the device has: entries, parts, inline bytes.",
                    "verbena devinfo -v, ibv_devinfo -v: max_qp_wr, max_sge, max_cqe",
                    "Ask for less."),
            new Cause(
                    "The device has run out of queue pairs, keys or pages for its tables.",
                    "rdma resource show; dmesg",
                    "Close what leaks; raise the driver's profile.")),
    EACCES(
            13,
            "Permission denied",
            "A file of the device may not be opened, or memory not be written.",
            new Cause(
                    "The device's file is for another user or group.",
                    "ls -l /dev/infiniband; verbena doctor: VD104",
                    "chmod 666, or a udev rule, or the right group."),
            new Cause(
                    "Read-only memory was registered with LOCAL_WRITE.",
                    "the mapping of the memory",
                    "Map it for writing, or register without the right.")),
    EFAULT(
            14,
            "Bad address",
            "The memory to register is not memory of this process.",
            new Cause(
                    "It was unmapped, or is a GPU's and no driver hands it out.",
                    "lsmod | grep -e peermem -e nv_peer",
                    "Load nvidia-peermem, register by dma-buf, or use host memory.")),
    EBUSY(
            16,
            "Device or resource busy",
            "Something still hangs on what is to be closed or changed.",
            new Cause(
                    "Regions or queue pairs of a domain, queue pairs of a completion queue.",
                    "rdma resource show",
                    "Close in the reverse order of making.")),
    ENODEV(
            19,
            "No such device",
            "rdma_cm found no RDMA device for the address, or the device is gone.",
            new Cause(
                    "The address is of an interface without an RDMA device.",
                    "rdma link show; ip addr",
                    "Bind to the address of the RDMA interface, not to 0.0.0.0 or the loopback."),
            new Cause(
                    "No device at all, or none in this network namespace.",
                    "verbena doctor: VD101, VD902, VD903",
                    "What the doctor says.")),
    EINVAL(
            22,
            "Invalid argument",
            "An argument that the device cannot have; with ibv_modify_qp, mostly the address.",
            new Cause(
                    "GID index that is empty, or RoCE without a GID (is_global).",
                    "verbena doctor: VD401, VD404",
                    "is_global 1, with the index of a RoCE v2 GID."),
            new Cause(
                    "A path MTU above the port's active MTU.",
                    "verbena doctor: VD501",
                    "Take the smaller of both ports."),
            new Cause(
                    "A transition without an attribute that it needs, or from the wrong state.",
                    "docs/verbs.md has the table of states",
                    "RESET, INIT, RTR, RTS, with the mask of each."),
            new Cause(
                    "More READs at a time than the device has: max_rd_atomic.",
                    "ibv_devinfo -v: max_qp_rd_atom, max_qp_init_rd_atom",
                    "Not more than that.")),
    EADDRINUSE(
            98,
            "Address already in use",
            "Somebody listens there, or has UDP port 4791.",
            new Cause(
                    "rdma_rxe, or a program of another user, has the port of roce://.",
                    "verbena doctor: VD803, VD804; ss -ulnp sport = :4791",
                    "rmmod rdma_rxe, or another port on both sides: roce://ADDRESS:4792")),
    EADDRNOTAVAIL(
            99,
            "Cannot assign requested address",
            "The address is not one of this host.",
            new Cause(
                    "A typing error, or an interface that is down.",
                    "ip addr; verbena doctor: VD303, VD904",
                    "Take an address that the doctor names.")),
    ENETUNREACH(
            101,
            "Network is unreachable",
            "There is no route to the peer.",
            new Cause(
                    "The interface has no address, or there is no default route.",
                    "ip route get PEER; verbena doctor: VD403",
                    "Give it one.")),
    ETIMEDOUT(
            110,
            "Connection timed out",
            "With ibv_modify_qp to RTR: the peer's GID could not be made into a MAC address. With"
                    + " rdma_cm: no answer.",
            new Cause(
                    "The GID index is of fe80::, or of an interface that does not reach the peer.",
                    "verbena doctor: VD403, VD404; ip neigh show dev DEV",
                    "Use the index of the IPv4 GID of the right interface, on both sides."),
            new Cause(
                    "The peer does not answer ARP or neighbour discovery: VLAN, subnet, cable.",
                    "arping -I DEV PEER; ping -I DEV PEER",
                    "Fix the network below first."),
            new Cause(
                    "A firewall drops UDP port 4791, so rdma_cm's request stays unanswered.",
                    "nft list ruleset; tcpdump -ni DEV udp port 4791",
                    "Let it through, in both directions.")),
    ECONNREFUSED(
            111,
            "Connection refused",
            "The peer is reachable, but no program listens on that rdma_cm port.",
            new Cause(
                    "The server is not up, or listens by TCP only.",
                    "rdma resource show cm_id, on the peer",
                    "Start it; port numbers of rdma_cm and TCP are two things."),
            new Cause(
                    "The server rejected the request: another version of its private data.",
                    "the peer's log",
                    "Use the same program on both sides.")),
    EHOSTUNREACH(
            113,
            "No route to host",
            "The peer does not answer to its address.",
            new Cause(
                    "It is down, or in another VLAN or subnet.",
                    "ip neigh show; ping -I DEV PEER",
                    "Fix the network below first."));

    private final int code;
    private final String words;
    private final String meaning;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of, which never changes
    private final List<Branch> branches;

    Errno(int code, String words, String meaning, Cause... causes) {
        this.code = code;
        this.words = words;
        this.meaning = meaning;
        this.branches = Branch.only(causes);
    }

    int code() {
        return code;
    }

    /// What `strerror` says.
    String words() {
        return words;
    }

    Explanation explanation() {
        return new Explanation(name(), code, "errno, " + words, meaning, "", branches);
    }
}
