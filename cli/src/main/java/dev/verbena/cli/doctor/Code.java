package dev.verbena.cli.doctor;

import dev.verbena.lint.Severity;

/// All that the doctor can find. A code keeps its meaning for ever: scripts wait for it.
enum Code {
    VD101(Severity.ERROR, "There is no RDMA device."),
    VD102(Severity.ERROR, "The driver of a NIC is loaded without its RDMA half."),
    VD103(Severity.ERROR, "The kernel has a device for which there is no file in /dev/infiniband."),
    VD104(Severity.ERROR, "This user may not open the file of a device."),
    VD105(Severity.WARNING, "Connections by rdma_cm are not possible: its file is missing."),
    VD106(Severity.WARNING, "A NIC has fewer PCIe lanes, or slower ones, than it could have."),

    VD201(Severity.ERROR, "libibverbs is not installed."),
    VD202(Severity.WARNING, "librdmacm is not installed."),
    VD203(Severity.ERROR, "libibverbs has no provider for a device."),

    VD301(Severity.ERROR, "A port is not active."),
    VD302(Severity.ERROR, "An InfiniBand port waits for a subnet manager."),
    VD303(Severity.ERROR, "The network interface of a port is down."),
    VD304(Severity.ERROR, "The network interface of a port has no carrier."),
    VD305(Severity.WARNING, "A link has damaged packets."),
    VD306(Severity.NOTE, "A link was lost and came back."),
    VD307(Severity.NOTE, "A port has sent again, or refused, what came out of order or too early."),

    VD401(Severity.ERROR, "A RoCE port has no GID."),
    VD402(Severity.WARNING, "A RoCE port has GIDs of version 1 only."),
    VD403(Severity.WARNING, "A RoCE port has link-local GIDs only."),
    VD404(Severity.NOTE, "Which GID index to use."),

    VD501(Severity.WARNING, "An interface's MTU is too small for RoCE packets of 4,096 bytes."),
    VD502(Severity.WARNING, "RoCE ports of this host have different MTUs."),

    VD601(Severity.ERROR, "Almost no memory may be locked, so none can be registered."),
    VD602(Severity.WARNING, "Little memory may be locked."),
    VD603(Severity.WARNING, "Few files may be open."),
    VD604(Severity.NOTE, "An IOMMU translates what a NIC reads and writes."),

    VD701(Severity.WARNING, "A NIC does not react to congestion marks (ECN)."),
    VD702(Severity.NOTE, "A NIC sends with the traffic class of each program, 0 if it sets none."),
    VD703(Severity.WARNING, "rdma_cm connects with RoCE version 1."),
    VD704(Severity.NOTE, "rdma_cm connects with traffic class 0."),

    VD801(Severity.WARNING, "Receive buffers of sockets may not be large."),
    VD802(Severity.WARNING, "Send buffers of sockets may not be large."),
    VD803(Severity.WARNING, "UDP port 4791 is taken."),
    VD804(Severity.NOTE, "The kernel's rdma_rxe has UDP port 4791."),
    VD805(Severity.WARNING, "IPv6 is off."),

    VD901(Severity.NOTE, "This is a container."),
    VD902(Severity.ERROR, "The network interface of a port is in another network namespace."),
    VD903(Severity.ERROR, "Each network namespace has RDMA devices of its own, and this one none."),
    VD904(Severity.NOTE, "Which roce:// devices can be opened here, whatever else is wrong.");

    private final Severity severity;
    private final String meaning;

    Code(Severity severity, String meaning) {
        this.severity = severity;
        this.meaning = meaning;
    }

    Severity severity() {
        return severity;
    }

    String meaning() {
        return meaning;
    }

    Area area() {
        return Area.of(name());
    }
}
