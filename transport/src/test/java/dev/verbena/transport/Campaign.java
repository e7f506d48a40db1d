package dev.verbena.transport;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.transport.carrier.FlightQueue;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.wire.Service;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Runs seeds one after another and adds up what happened.
final class Campaign {
    final FlightQueue<Flight> flights = new FlightQueue<>(Flight::new);
    final byte[] sourceBytes = Host.sourceBytes();
    final List<HostMemory> grounds = List.of(new HostMemory(), new HostMemory());
    final Map<AsyncEvent.Type, Long> events = new EnumMap<>(AsyncEvent.Type.class);
    final Map<String, Long> counters = new TreeMap<>();
    final Map<String, Long> faults = new TreeMap<>();
    final WireCounts wire = new WireCounts();

    /// Whether a failure shows every packet; for a single seed.
    private final boolean trace = Boolean.getBoolean("trace");

    private final SeedWatchdog sentPackets = new SeedWatchdog();
    private final int messagesPerSeed;
    long seeds;
    long seedsNearWrap;
    long messages;
    final Map<Service, Long> perService = new EnumMap<>(Service.class);
    long virtualNs;

    /// Whether connections repeat only what is lost.
    final boolean selective;

    Campaign(int messagesPerSeed) {
        this(messagesPerSeed, false);
    }

    Campaign(int messagesPerSeed, boolean selective) {
        this.messagesPerSeed = messagesPerSeed;
        this.selective = selective;
    }

    /// Runs one seed and returns the hash of all that happened.
    long run(long seed) {
        CampaignRun run = null;
        sentPackets.begins(seed);
        try {
            run = new CampaignRun(this, seed, messagesPerSeed);
            if (trace) {
                run.pair.seen = new ArrayList<>();
            }
            run.run();
            return run.pair.hash();
        } catch (AssertionError | RuntimeException failure) {
            String about =
                    run == null
                            ? ""
                            : " (%s, %s, %d connections, fault %s)"
                                    .formatted(
                                            run.plan.mode,
                                            run.plan.layer,
                                            run.plan.connections,
                                            run.plan.fault);
            List<ScriptedWire.Seen> seen = run == null ? null : run.pair.seen;
            if (seen != null) {
                seen.forEach(System.out::println);
            }
            throw new AssertionError(
                    """
                    seed %d%s: %s
                    repeat with
                    ./mvnw -pl transport -am -Dtest=%s -Dseed=%d \
                    -Dsurefire.failIfNoSpecifiedTests=false verify\
                    """
                            .formatted(
                                    seed,
                                    about,
                                    failure,
                                    selective ? "SelectiveCampaignTest" : "CampaignTest",
                                    seed),
                    failure);
        } finally {
            // What a seed that failed has left under way is not the next one's.
            flights.clear();
            sentPackets.ends();
        }
    }

    void collect(CampaignRun run) {
        seeds++;
        seedsNearWrap += run.plan.nearWrap ? 1 : 0;
        virtualNs += run.pair.nowNs();
        faults.merge(run.plan.fault == null ? "none" : run.plan.fault.name(), 1L, Long::sum);
        for (Host host : run.hosts) {
            host.device.counters().forEach((name, value) -> counters.merge(name, value, Long::sum));
            for (RcEndpoint endpoint : host.endpoints) {
                count(Service.RC, endpoint.sender.messages);
            }
            for (UnreliableEndpoint member : host.unreliable) {
                count(member.service(), member.sender().posted);
            }
        }
        for (PairPort port : run.pair.ports) {
            wire.add(port.wire.counts);
        }
    }

    private void count(Service service, long more) {
        messages += more;
        perService.merge(service, more, Long::sum);
    }

    /// The name of a counter and how often it counted.
    long reached(Counter counter) {
        return counters.getOrDefault(counter.title(), 0L);
    }
}
