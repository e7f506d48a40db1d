package dev.verbena.plan;

import dev.verbena.fabric.Topology;
import dev.verbena.plan.Inputs.Choices;
import java.util.List;

/// The plan of one kind of network.
///
/// @param models the switches of leaves, spines and cores
/// @param planes networks that are not connected with each other; mostly one
public record FabricPlan(
        Network network,
        Inputs inputs,
        List<SwitchModel> models,
        List<Sized> planes,
        Bill bill,
        Latency latency,
        Growth growth) {

    static FabricPlan of(Network network, Inputs inputs, Catalog catalog) {
        List<SwitchModel> models = models(network, inputs, catalog);
        Radices radices = radices(models, inputs.rate());
        int most = Math.max(radices.leaf(), Math.max(radices.spine(), radices.core()));
        if (network == Network.IB && most > LFT_PORTS_MAX) {
            throw new PlanException(
                    "an InfiniBand switch has at most %d ports, not %d; use a smaller radix"
                            .formatted(LFT_PORTS_MAX, most));
        }
        List<Sized> planes = new Sizing(inputs.cluster(), inputs.rule(), radices).planes();
        Bill bill = Bill.of(network, inputs, catalog, models, planes);
        return new FabricPlan(
                network,
                inputs,
                models,
                planes,
                bill,
                Latency.of(inputs, models, planes.getFirst(), bill),
                Growth.of(network, inputs, radices, planes));
    }

    /// Numbers of a byte, two of which are no ports with cables (IBA 14.2.5.6).
    private static final int LFT_PORTS_MAX = 254;

    private static List<SwitchModel> models(Network network, Inputs inputs, Catalog catalog) {
        Choices choices = inputs.choices();
        int rate = inputs.rate();
        SwitchModel leaf =
                choices.radix() > 0
                        ? SwitchModel.ofRadix(network, rate, choices.radix())
                        : choices.switches().stream()
                                .filter(name -> catalog.hasSwitch(network, name))
                                .findFirst()
                                .map(name -> catalog.switchNamed(network, name))
                                .orElseGet(() -> catalog.usualSwitch(network, rate));
        SwitchModel spine =
                other(network, inputs, catalog, choices.spineRadix(), choices.spineSwitch(), leaf);
        SwitchModel core =
                other(network, inputs, catalog, choices.coreRadix(), choices.coreSwitch(), spine);
        return List.of(leaf, spine, core);
    }

    private static SwitchModel other(
            Network network,
            Inputs inputs,
            Catalog catalog,
            int radix,
            String name,
            SwitchModel below) {
        if (radix > 0) {
            return SwitchModel.ofRadix(network, inputs.rate(), radix);
        }
        return name.isEmpty() ? below : catalog.switchNamed(network, name);
    }

    private static Radices radices(List<SwitchModel> models, int rate) {
        return new Radices(
                models.get(0).radix(rate), models.get(1).radix(rate), models.get(2).radix(rate));
    }

    /// One of the planes, which are alike but for links of managers.
    public Sized plane() {
        return planes.getFirst();
    }

    public int tiers() {
        return plane().tiers();
    }

    public int leaves() {
        return planes.stream().mapToInt(Sized::leaves).sum();
    }

    public int spines() {
        return planes.stream().mapToInt(Sized::spinesInAll).sum();
    }

    public int cores() {
        return planes.stream().mapToInt(Sized::cores).sum();
    }

    public int switches() {
        return leaves() + spines() + cores();
    }

    public int nodeCables() {
        return planes.stream().mapToInt(Sized::hosts).sum();
    }

    public int managementCables() {
        return planes.stream().mapToInt(Sized::managementLinks).sum();
    }

    /// Between leaves and spines, or between the two switches of a pair.
    public int leafCables() {
        return planes.stream().mapToInt(Sized::leafCables).sum();
    }

    /// Between spines and cores.
    public int coreCables() {
        return planes.stream().mapToInt(Sized::coreCables).sum();
    }

    public int cables() {
        return planes.stream().mapToInt(Sized::cables).sum();
    }

    /// What one half of the hosts can send to the other, in Tb/s.
    public double bisectionTbits() {
        return planes.stream().mapToDouble(Sized::bisectionLinks).sum() * inputs.rate() / 1000;
    }

    /// The same as a part of what the NICs of one half can send.
    public double bisectionShare() {
        double links = planes.stream().mapToDouble(Sized::bisectionLinks).sum();
        return links / ((nodeCables() + managementCables()) / 2.0);
    }

    /// A name such as `verbena-plan-ib`, with the number of the plane where there are several.
    private String name(int plane) {
        String name = "plan of %,d GPUs, %s".formatted(inputs.cluster().gpus(), network.title());
        return planes.size() == 1 ? name : name + ", plane " + (plane + 1);
    }

    /// One plane as the simulator takes it.
    public Topology topology(int plane) {
        Radices radices = radices(models, inputs.rate());
        return new Cabling(name(plane), planes.get(plane), radices, inputs).topology();
    }
}
