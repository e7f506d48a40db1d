package dev.verbena.subnet.admin;

import dev.verbena.subnet.admin.Members.Wish;
import dev.verbena.subnet.state.Command;
import dev.verbena.subnet.state.Service;
import dev.verbena.subnet.state.SubnetState;
import dev.verbena.wire.Gid;
import dev.verbena.wire.mad.SaStatus;
import dev.verbena.wire.mad.ServiceRecord;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Services that ports offer, each for its lease. When a lease ends is no state: another manager
/// that takes over counts it from then on.
final class Services {
    private static final long FOR_EVER = 0xFFFF_FFFFL;
    private static final long NS_PER_SECOND = 1_000_000_000L;
    private static final int NEEDED = 1 | 1 << 1 | 1 << 2;
    private static final int LEASE = 4;

    private final SubnetView view;
    private final SubnetState state;
    private final Keys keys;
    private final Map<Service.Key, Long> endsNs = new HashMap<>();

    Services(SubnetView view, SubnetState state, Keys keys) {
        this.view = view;
        this.state = state;
        this.keys = keys;
    }

    void find(Question question, long nowNs) {
        for (Service service : state.services()) {
            MemorySegment record = service.record();
            // The key lets a port take its service back; it is not for others.
            ServiceRecord.SERVICE_KEY_HIGH.write(record, 0, 0);
            ServiceRecord.SERVICE_KEY_LOW.write(record, 0, 0);
            Long end = endsNs.get(service.key());
            if (end != null) {
                long left = Math.max(0, Math.ceilDiv(end - nowNs, NS_PER_SECOND));
                ServiceRecord.SERVICE_LEASE.write(record, 0, left);
            }
            question.add(record);
        }
    }

    /// What a Set asks for.
    Wish register(Question question, int asker) {
        if (!question.hasAll(NEEDED)) {
            return Wish.refused(SaStatus.INSUFFICIENT_COMPONENTS);
        }
        MemorySegment record = question.template();
        if (!question.has(LEASE)) {
            ServiceRecord.SERVICE_LEASE.write(record, 0, FOR_EVER);
        }
        Service service = Service.of(record);
        int refusal = refusal(service, asker);
        boolean isInPartition =
                refusal == 0 && keys.has(asker, ServiceRecord.SERVICE_PKEY.readInt(record, 0));
        if (!isInPartition) {
            return Wish.refused(refusal == 0 ? SaStatus.DENIED : refusal);
        }
        return Wish.of(new Command.Register(service));
    }

    /// What a Delete asks for.
    Wish unregister(Question question, int asker) {
        if (!question.hasAll(NEEDED)) {
            return Wish.refused(SaStatus.INSUFFICIENT_COMPONENTS);
        }
        Service service = Service.of(question.template());
        int refusal = refusal(service, asker);
        return refusal == 0
                ? Wish.of(new Command.Unregister(service.key()))
                : Wish.refused(refusal);
    }

    /// A port changes its own services, and knows the key that it gave them.
    private int refusal(Service service, int asker) {
        Gid port = service.key().port();
        if (asker == SubnetView.NONE
                || port.high() != view.prefix()
                || port.low() != view.guid(asker)) {
            return SaStatus.DENIED;
        }
        return state.services().stream()
                        .filter(it -> it.key().equals(service.key()))
                        .allMatch(it -> hasKey(it, service))
                ? 0
                : SaStatus.DENIED;
    }

    private static boolean hasKey(Service known, Service other) {
        Gid key = Gid.parse(known.record(), 32);
        return key.isZero() || key.equals(Gid.parse(other.record(), 32));
    }

    /// A service has no lease any more.
    void ended(Service.Key key) {
        endsNs.remove(key);
    }

    /// The lease of a service begins.
    void began(Service service, long nowNs) {
        if (service.leaseSeconds() != FOR_EVER) {
            endsNs.put(service.key(), nowNs + service.leaseSeconds() * NS_PER_SECOND);
        }
    }

    /// Gives services without an end of their lease one, and returns those whose lease has ended.
    List<Service.Key> expired(long nowNs) {
        List<Service.Key> ended = new ArrayList<>();
        Map<Service.Key, Long> kept = new HashMap<>();
        for (Service service : state.services()) {
            if (service.leaseSeconds() == FOR_EVER) {
                continue;
            }
            long usual = nowNs + service.leaseSeconds() * NS_PER_SECOND;
            long end = endsNs.getOrDefault(service.key(), usual);
            kept.put(service.key(), end);
            if (end <= nowNs) {
                ended.add(service.key());
            }
        }
        endsNs.clear();
        endsNs.putAll(kept);
        return ended;
    }

    long timeoutNs() {
        return endsNs.values().stream().mapToLong(it -> it).min().orElse(Long.MAX_VALUE);
    }
}
