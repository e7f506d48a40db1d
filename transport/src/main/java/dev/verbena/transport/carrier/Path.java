package dev.verbena.transport.carrier;

import dev.verbena.verbs.Address;
import dev.verbena.verbs.Gid;

/// The path to a peer, interned: one object for each path of a device, so that a carrier can store
/// its own data for it by [#index].
public sealed interface Path {
    /// Small number, unique among the paths in use; it is reused for another path after the last
    /// user has released this one, so data stored by index must be stored with the path.
    int index();

    /// The class that [dev.verbena.transport.TransportDevice#pollTransmit] goes by, 0 to 15.
    int trafficClass();

    /// The address that the program gave.
    Address address();

    /// Our own GID on it.
    Gid source();

    /// Whether a packet from there is the peer's.
    boolean isFrom(InboundPacket packet);

    /// Native InfiniBand: routed by LID, and by GID when packets carry a GRH.
    ///
    /// @param source the local GID that a GRH names
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
