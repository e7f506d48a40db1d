package dev.verbena.transport;

import static java.util.Map.entry;

import dev.verbena.transport.carrier.Counter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The campaign in tables: what was run, and how often each rule of the transport was reached.
final class CampaignReport {
    private static final String FORGED = "no peer of ours sends such; the attack suite does";

    private static final String MANAGED = "no connection manager here; that has its own campaign";
    private static final String SELECTIVE = "connections here go back; SelectiveCampaignTest";
    private static final String CONGESTED = "nothing marks packets here; CongestionTest does";

    /// Rules that this campaign cannot reach, each with the reason.
    private static final Map<String, String> UNREACHABLE =
            new TreeMap<>(
                    Map.ofEntries(
                            entry("REFUSED_FORM", FORGED),
                            entry("REFUSED_ORDER", FORGED),
                            entry("EARLY_PLACED", SELECTIVE),
                            entry("EARLY_DROPPED", SELECTIVE),
                            entry("EARLY_DUPLICATE", SELECTIVE),
                            entry("SENT_SACK", SELECTIVE),
                            entry("RECEIVED_SACK", SELECTIVE),
                            entry("SENT_MANAGEMENT", MANAGED),
                            entry("RECEIVED_MANAGEMENT", MANAGED),
                            entry("DROPPED_MANAGEMENT", MANAGED),
                            entry("REFUSED_MANAGEMENT", MANAGED),
                            entry("REPEATED_MANAGEMENT", MANAGED),
                            entry("STRAY_MANAGEMENT", MANAGED),
                            entry("RECEIVED_MARK", CONGESTED),
                            entry("SENT_NOTICE", CONGESTED),
                            entry("RECEIVED_NOTICE", CONGESTED),
                            entry("IGNORED_NOTICE", CONGESTED),
                            entry(
                                    "COMPLETION_OVERRUN",
                                    "queues are as large as they must be; LimitsTest makes one too"
                                            + " small"),
                            entry(
                                    "FAILED_LISTENER",
                                    "listeners here do not throw; LimitsTest has one that does"),
                            entry("DROPPED_EVENT", "polled in time; LimitsTest does not"),
                            entry("DROPPED_PORT", "ports stay active; PortTest changes them"),
                            entry("UNSENT_PORT", "ports stay active; PortTest changes them")));

    private CampaignReport() {}

    static String markdown(Campaign campaign, String seeds) {
        StringBuilder text = new StringBuilder();
        WireCounts wire = campaign.wire;
        text.append("# Campaign of the transport\n\n| what | how many |\n|---|---:|\n");
        row(text, "seeds", seeds);
        row(text, "seeds run", campaign.seeds);
        row(text, "of them with PSN, MSN and SSN near their end", campaign.seedsNearWrap);
        row(text, "messages", campaign.messages);
        campaign.perService.forEach((service, count) -> row(text, "of them " + service, count));
        row(text, "packets sent", wire.sent);
        row(text, "packets delivered", wire.delivered);
        row(text, "dropped", wire.dropped);
        row(text, "duplicated", wire.duplicated);
        row(text, "reordered", wire.reordered);
        row(text, "corrupted", wire.corrupted);
        row(text, "payload bytes", wire.payloadBytes);
        row(text, "virtual milliseconds", campaign.virtualNs / 1_000_000);
        text.append("\n| fault | seeds |\n|---|---:|\n");
        campaign.faults.forEach((fault, count) -> row(text, fault, count));
        text.append("\n| event | times |\n|---|---:|\n");
        campaign.events.forEach((event, count) -> row(text, event.toString(), count));
        text.append("\n| rule | counter | reached | |\n|---|---|---:|---|\n");
        for (Counter counter : Counter.values()) {
            text.append(
                    "| %s | `%s` | %,d | %s |%n"
                            .formatted(
                                    counter,
                                    counter.title(),
                                    campaign.reached(counter),
                                    UNREACHABLE.getOrDefault(counter.name(), "")));
        }
        return text.toString();
    }

    /// Rules that should have been reached and were not.
    static List<Counter> missing(Campaign campaign) {
        List<Counter> missing = new ArrayList<>();
        for (Counter counter : Counter.values()) {
            boolean reached = campaign.reached(counter) > 0;
            if (!reached && !UNREACHABLE.containsKey(counter.name())) {
                missing.add(counter);
            }
        }
        return missing;
    }

    private static void row(StringBuilder text, String what, long count) {
        row(text, what, "%,d".formatted(count));
    }

    private static void row(StringBuilder text, String what, String value) {
        text.append("| %s | %s |%n".formatted(what, value));
    }
}
