package dev.verbena.subnet;

/// Files that OpenSM writes of a subnet, and that programs of others read.
public enum DumpFile {
    /// Forwarding tables by LID, with the GUID and the name of each receiver.
    FORWARDING("opensm-lfts.dump"),
    /// Forwarding tables by LID, with the links to each receiver and whether they are fewest.
    HOPS("opensm.fdbs"),
    /// Multicast forwarding tables.
    GROUPS("opensm.mcfdbs"),
    /// Both ends of each link, with its width and speed.
    LINKS("opensm-subnet.lst");

    private final String fileName;

    DumpFile(String fileName) {
        this.fileName = fileName;
    }

    public String fileName() {
        return fileName;
    }
}
