package dev.verbena.transport;

import dev.verbena.testkit.conformance.AddressHandleConformance;
import dev.verbena.testkit.conformance.DatagramConformance;
import dev.verbena.testkit.conformance.DatagramRefusalConformance;
import dev.verbena.testkit.conformance.MulticastConformance;
import dev.verbena.testkit.conformance.QueryConformance;
import dev.verbena.testkit.conformance.ReceiverConformance;
import dev.verbena.testkit.conformance.SendConformance;
import dev.verbena.testkit.conformance.SharedReceiveConformance;
import dev.verbena.testkit.conformance.StateConformance;
import dev.verbena.testkit.conformance.UnreliableConformance;
import dev.verbena.testkit.conformance.World;

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
