package dev.verbena.fabric;

import dev.verbena.transport.carrier.PriorityMap;

/// What only one kind of fabric has.
public sealed interface FabricKind {
    /// RoCE's: memory that a switch's ports share, pauses, and equal ways.
    ///
    /// @param routing how packets are spread over equal ways
    /// @param priorities by what packets have their priority
    /// @param marking when switches mark packets
    /// @param isRoundRobin whether ports of switches serve their inputs in turn, instead of packets
    ///   in the order in which they came
    record Ethernet(
            BufferSettings buffer,
            Routing routing,
            Ets ets,
            PriorityMap priorities,
            Marking marking,
            boolean isRoundRobin)
            implements FabricKind {
        static final Ethernet DEFAULT =
                new Ethernet(
                        new BufferSettings(
                                64 << 20, 0xFF, 0, 8192, BufferSettings.AS_THE_CABLE_NEEDS, 0.25),
                        Routing.ECMP,
                        Ets.EQUAL,
                        PriorityMap.BY_SERVICE_LEVEL,
                        Marking.NONE,
                        false);

        public Ethernet withBuffer(BufferSettings value) {
            return new Ethernet(value, routing, ets, priorities, marking, isRoundRobin);
        }

        public Spread spread() {
            return routing.spread();
        }

        public Ethernet withSpread(Spread value) {
            return withRouting(Routing.of(value));
        }

        public Ethernet withRouting(Routing value) {
            return new Ethernet(buffer, value, ets, priorities, marking, isRoundRobin);
        }

        public Ethernet withEts(Ets value) {
            return new Ethernet(buffer, routing, value, priorities, marking, isRoundRobin);
        }

        public Ethernet withPriorities(PriorityMap value) {
            return new Ethernet(buffer, routing, ets, value, marking, isRoundRobin);
        }

        public Ethernet withRoundRobin(boolean value) {
            return new Ethernet(buffer, routing, ets, priorities, marking, value);
        }

        public Ethernet withMarking(Marking value) {
            return new Ethernet(buffer, routing, ets, priorities, value, isRoundRobin);
        }
    }

    /// How packets are spread over equal ways.
    enum Spread {
        /// All packets of a connection go one way, chosen by a hash.
        ECMP,
        /// The same, with a share for each port in proportion to its rate.
        WEIGHTED,
        /// A connection may change its way after a silence.
        FLOWLET,
        /// Every packet takes the port with the shortest queue.
        ADAPTIVE,
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
    /// @param routing [Routing#FIXED], or [Spread#ADAPTIVE] for groups of ports in forwarding
    ///   tables
    record InfiniBand(
            int bufferBlocks,
            int updateBlocks,
            boolean cutThrough,
            LaneMap lanes,
            VlArbitration arbitration,
            Routing routing)
            implements FabricKind {
        static final InfiniBand DEFAULT =
                new InfiniBand(
                        1024, 66, true, LaneMap.ALL_IN_ONE, VlArbitration.EQUAL, Routing.FIXED);

        public InfiniBand {
            if (bufferBlocks < 1 || updateBlocks < 1) {
                throw new IllegalArgumentException("a lane has blocks, and updates bring some");
            }
            if (routing.spread() != Spread.FIXED && routing.spread() != Spread.ADAPTIVE) {
                throw new IllegalArgumentException(
                        "InfiniBand switches with routing %s: use FIXED or ADAPTIVE"
                                .formatted(routing.spread()));
            }
        }

        public InfiniBand withBufferBlocks(int value) {
            return new InfiniBand(value, updateBlocks, cutThrough, lanes, arbitration, routing);
        }

        public InfiniBand withUpdateBlocks(int value) {
            return new InfiniBand(bufferBlocks, value, cutThrough, lanes, arbitration, routing);
        }

        public InfiniBand withCutThrough(boolean value) {
            return new InfiniBand(bufferBlocks, updateBlocks, value, lanes, arbitration, routing);
        }

        public InfiniBand withLanes(LaneMap value) {
            return new InfiniBand(
                    bufferBlocks, updateBlocks, cutThrough, value, arbitration, routing);
        }

        public InfiniBand withArbitration(VlArbitration value) {
            return new InfiniBand(bufferBlocks, updateBlocks, cutThrough, lanes, value, routing);
        }

        public InfiniBand withRouting(Routing value) {
            return new InfiniBand(
                    bufferBlocks, updateBlocks, cutThrough, lanes, arbitration, value);
        }
    }
}
