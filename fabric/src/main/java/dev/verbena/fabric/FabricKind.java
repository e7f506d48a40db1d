package dev.verbena.fabric;

import dev.verbena.transport.carrier.PriorityMap;

/// What only one kind of fabric has.
public sealed interface FabricKind {
    /// RoCE's: memory that a switch's ports share, pauses, and equal ways.
    ///
    /// @param spread how packets are spread over equal ways
    /// @param priorities by what packets have their priority
    /// @param marking when switches mark packets
    record Ethernet(
            BufferSettings buffer, Spread spread, Ets ets, PriorityMap priorities, Marking marking)
            implements FabricKind {
        static final Ethernet DEFAULT =
                new Ethernet(
                        new BufferSettings(
                                64 << 20, 0xFF, 0, 8192, BufferSettings.AS_THE_CABLE_NEEDS, 0.25),
                        Spread.ECMP,
                        Ets.EQUAL,
                        PriorityMap.BY_SERVICE_LEVEL,
                        Marking.NONE);

        public Ethernet withBuffer(BufferSettings value) {
            return new Ethernet(value, spread, ets, priorities, marking);
        }

        public Ethernet withSpread(Spread value) {
            return new Ethernet(buffer, value, ets, priorities, marking);
        }

        public Ethernet withEts(Ets value) {
            return new Ethernet(buffer, spread, value, priorities, marking);
        }

        public Ethernet withPriorities(PriorityMap value) {
            return new Ethernet(buffer, spread, ets, value, marking);
        }

        public Ethernet withMarking(Marking value) {
            return new Ethernet(buffer, spread, ets, priorities, value);
        }
    }

    /// How packets are spread over equal ways.
    enum Spread {
        /// All packets of a connection go one way, chosen by a hash.
        ECMP,
        /// Every packet goes its own way, the ports in turn.
        SPRAY,
        /// All packets to a host go one way, as on InfiniBand, so that shifts do not collide.
        FIXED
    }

    /// InfiniBand's: credits of virtual lanes.
    ///
    /// @param bufferBlocks 64-byte blocks that each virtual lane of each port can hold
    /// @param updateBlocks blocks that must have become free until the neighbour is told
    /// @param cutThrough whether switches hand on a packet before it is there as a whole
    /// @param lanes by service level, the virtual lane
    /// @param arbitration which lane sends next
    record InfiniBand(
            int bufferBlocks,
            int updateBlocks,
            boolean cutThrough,
            LaneMap lanes,
            VlArbitration arbitration)
            implements FabricKind {
        static final InfiniBand DEFAULT =
                new InfiniBand(1024, 66, true, LaneMap.ALL_IN_ONE, VlArbitration.EQUAL);

        public InfiniBand {
            if (bufferBlocks < 1 || updateBlocks < 1) {
                throw new IllegalArgumentException("a lane has blocks, and updates bring some");
            }
        }

        public InfiniBand withBufferBlocks(int value) {
            return new InfiniBand(value, updateBlocks, cutThrough, lanes, arbitration);
        }

        public InfiniBand withUpdateBlocks(int value) {
            return new InfiniBand(bufferBlocks, value, cutThrough, lanes, arbitration);
        }

        public InfiniBand withCutThrough(boolean value) {
            return new InfiniBand(bufferBlocks, updateBlocks, value, lanes, arbitration);
        }

        public InfiniBand withLanes(LaneMap value) {
            return new InfiniBand(bufferBlocks, updateBlocks, cutThrough, value, arbitration);
        }

        public InfiniBand withArbitration(VlArbitration value) {
            return new InfiniBand(bufferBlocks, updateBlocks, cutThrough, lanes, value);
        }
    }
}
