package dev.verbena.fabric;

import dev.verbena.conformance.ConformanceSuite;
import dev.verbena.conformance.World;

class InfiniBandConformanceTest implements ConformanceSuite {
    @Override
    public World world() {
        return new FabricWorld(FatTree.threeTiers(2, 2).topology(), FabricSettings.INFINIBAND);
    }
}
