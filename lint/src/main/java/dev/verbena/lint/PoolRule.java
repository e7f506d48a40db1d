package dev.verbena.lint;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Do pools have what their profiles promise?
final class PoolRule implements Rule {
    private static final String INGRESS = "ingress";
    private static final String EGRESS = "egress";

    /// From this power of two on, a queue may take all that is free (SAI's alpha).
    private static final int ALL_THAT_IS_FREE = 7;

    @Override
    public void check(Scene scene, Findings findings) {
        for (SwitchConfig config : scene.switches()) {
            Set<BufferProfile> lossless = new LinkedHashSet<>();
            for (SwitchPort port : config.ports()) {
                direction(port, port.groups, INGRESS, findings);
                direction(port, port.queues, EGRESS, findings);
                for (int priority : port.lossless()) {
                    port.group(port.groupOf(priority))
                            .flatMap(BufferProfile.Use::profile)
                            .ifPresent(lossless::add);
                    mayDrop(port, port.queueOf(priority), findings);
                }
            }
            lossless.forEach(profile -> headroom(profile, findings));
        }
    }

    private static void headroom(BufferProfile profile, Findings findings) {
        Figure xoff = profile.xoff().orElseThrow();
        Optional<Figure> shared = profile.pool().flatMap(BufferPool::xoff);
        String evidence = xoff.place().says("%s: xoff %,d".formatted(profile.name(), xoff.value()));
        if (shared.isPresent() && shared.get().value() > 0) {
            if (shared.get().value() < xoff.value()) {
                findings.add(
                        Code.VL304,
                        shared.get().place(),
                        "the pool shares %,d bytes of headroom, and one group of %s may take %,d"
                                .formatted(
                                        shared.get().value(),
                                        Shown.word(profile.name()),
                                        xoff.value()),
                        List.of(
                                shared.get()
                                        .place()
                                        .says("pool: xoff %,d".formatted(shared.get().value())),
                                evidence),
                        "Enlarge the pool's xoff.");
            }
        } else if (profile.size().isPresent() && profile.size().get().value() < xoff.value()) {
            Figure size = profile.size().get();
            findings.add(
                    Code.VL305,
                    size.place(),
                    "profile %s reserves %,d bytes for a headroom of %,d"
                            .formatted(Shown.word(profile.name()), size.value(), xoff.value()),
                    List.of(
                            size.place().says("size %,d".formatted(size.value())),
                            evidence,
                            profile.pool()
                                    .map(
                                            it ->
                                                    it.place()
                                                            .says(
                                                                    "the pool shares no headroom"
                                                                            + " (xoff)"))
                                    .orElse("no pool")),
                    "Make size at least xoff and xon, or give the pool an xoff.");
        }
    }

    private static void direction(
            SwitchPort port,
            Map<Integer, BufferProfile.Use> uses,
            String wanted,
            Findings findings) {
        for (Map.Entry<Integer, BufferProfile.Use> each : uses.entrySet()) {
            Optional<BufferPool> pool = each.getValue().profile().flatMap(BufferProfile::pool);
            String other = wanted.equals(INGRESS) ? EGRESS : INGRESS;
            if (pool.isPresent() && pool.get().type().equals(other)) {
                String profile = each.getValue().profile().map(BufferProfile::name).orElse("");
                findings.ofPort(
                        Code.VL306,
                        port.name,
                        each.getValue().place(),
                        "profile %s is for %s, and its pool %s for %s"
                                .formatted(
                                        Shown.word(profile),
                                        wanted,
                                        Shown.word(pool.get().name()),
                                        other),
                        List.of(
                                each.getValue().place().says("profile " + Shown.word(profile)),
                                pool.get().place().says("type " + other)),
                        "Use a profile whose pool has the type %s.".formatted(wanted));
            }
        }
    }

    private static void mayDrop(SwitchPort port, int queue, Findings findings) {
        Optional<BufferProfile> profile =
                Optional.ofNullable(port.queues.get(queue)).flatMap(BufferProfile.Use::profile);
        Optional<Figure> share = profile.flatMap(BufferProfile::dynamicTh);
        if (share.isPresent() && share.get().value() < ALL_THAT_IS_FREE) {
            findings.ofPort(
                    Code.VL307,
                    port.name,
                    share.get().place(),
                    "profile %s of lossless queue %d drops above 2^%d times the free bytes"
                            .formatted(
                                    Shown.word(profile.get().name()), queue, share.get().value()),
                    List.of(
                            share.get().place().says("dynamic_th " + share.get().value()),
                            "limit: %d, which takes all that is free".formatted(ALL_THAT_IS_FREE)),
                    "Use a profile with dynamic_th 7, or a static_th of all of the pool.");
        }
    }
}
