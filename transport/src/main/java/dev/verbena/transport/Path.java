package dev.verbena.transport;

import dev.verbena.verbs.Address;
import dev.verbena.verbs.Gid;

/// The way to a peer, interned: one object for each way that a device knows, so that a carrier can
/// keep what it works out for it by [#index].
public sealed interface Path {
    /// Small number, unique among the paths that the device uses; used again for another path when
    /// nobody uses this one any more, so what is kept by it is kept with the path.
    int index();

    /// The class that [TransportDevice#pollTransmit] goes by, 0 to 15.
    int trafficClass();

    /// What the program asked for.
    Address address();

    /// Whether a packet from there is the peer's.
    boolean isFrom(InboundPacket packet);

    static Path of(int index, TransportOptions options, Address address, Gid source) {
        return switch (options.port.linkLayer()) {
            case INFINIBAND -> new InfiniBand(index, address, source);
            case ETHERNET -> new Roce(index, address, source, options.priorities.of(address));
        };
    }

    /// Native InfiniBand: goes by LID, and by GID when packets carry a GRH.
    ///
    /// @param source the GID of ours that a GRH names
    record InfiniBand(int index, Address address, Gid source) implements Path {
        @Override
        public int trafficClass() {
            return address.serviceLevel();
        }

        public boolean isGlobal() {
            return !address.gid().equals(Gid.NONE);
        }

        @Override
        public boolean isFrom(InboundPacket packet) {
            // IBA 9.6.1.5: a connected queue pair takes packets of its peer only.
            // Without a GRH both sides are zero.
            return packet.sourceLid() == address.lid()
                    && packet.sourceHigh() == address.gid().high()
                    && packet.sourceLow() == address.gid().low();
        }
    }

    /// RoCE: goes by GID, which is an IP address.
    ///
    /// @param source our own address
    /// @param trafficClass the priority of Ethernet
    record Roce(int index, Address address, Gid source, int trafficClass) implements Path {
        @Override
        public boolean isFrom(InboundPacket packet) {
            return packet.sourceLow() == address.gid().low()
                    && packet.sourceHigh() == address.gid().high();
        }
    }
}
