package dev.verbena.fabric;

import dev.verbena.conformance.ConformanceSuite;
import dev.verbena.conformance.World;

/// The suite over a fabric that is nothing but a URI: a tree of two tiers with adapters that take
/// their time.
class DescribedConformanceTest implements ConformanceSuite {
    @Override
    public World world() {
        return UriWorld.described("hosts=8&radix=4&kind=ib&nic=adapter");
    }
}
