package dev.verbena.transport;

import dev.verbena.conformance.AddressHandleConformance;
import dev.verbena.conformance.DatagramConformance;
import dev.verbena.conformance.DatagramRefusalConformance;
import dev.verbena.conformance.MulticastConformance;
import dev.verbena.conformance.QueryConformance;
import dev.verbena.conformance.ReceiverConformance;
import dev.verbena.conformance.SendConformance;
import dev.verbena.conformance.SharedReceiveConformance;
import dev.verbena.conformance.StateConformance;
import dev.verbena.conformance.UnreliableConformance;
import dev.verbena.conformance.World;

/// What addresses matter to, on native InfiniBand: LIDs, and a GRH only where it is needed.
class SubnetConformanceTest
        implements SendConformance,
                ReceiverConformance,
                StateConformance,
                QueryConformance,
                UnreliableConformance,
                DatagramConformance,
                DatagramRefusalConformance,
                AddressHandleConformance,
                MulticastConformance,
                SharedReceiveConformance {
    @Override
    public World world() {
        return LossyWorld.subnet(3);
    }
}
