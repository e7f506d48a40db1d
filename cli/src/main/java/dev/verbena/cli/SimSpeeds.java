package dev.verbena.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.Rate;
import java.io.IOException;
import java.util.Map;
import java.util.stream.Collectors;

/// The speeds of a fabric's cables, the fastest first.
final class SimSpeeds {
    private final Map<Rate, Integer> rates;

    SimSpeeds(Fabric fabric) {
        rates = fabric.topology().rates(fabric.settings().cable());
    }

    /// `400 Gb/s`, or, where cables differ, how many there are of each.
    String text() {
        if (rates.size() == 1) {
            return rates.keySet().iterator().next().toString();
        }
        return rates.entrySet().stream()
                .map(it -> it.getKey() + " (" + cables(it.getValue()) + ")")
                .collect(Collectors.joining(", "));
    }

    private static String cables(int count) {
        return Texts.count(count) + (count == 1 ? " cable" : " cables");
    }

    void json(JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("rates");
        for (Map.Entry<Rate, Integer> each : rates.entrySet()) {
            json.writeStartObject();
            json.writeNumberField("gbits", each.getKey().bitsPerSecond() / 1e9);
            json.writeNumberField("cables", each.getValue());
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
