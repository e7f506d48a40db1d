package dev.verbena.fabric;

import java.util.List;

/// The ends of other flows that start a flow. Flows are counted from 0, in the order of their list.
///
/// A flow ends twice: at its sender when the last acknowledgement is back, and before that at its
/// receiver when the last byte is there.
///
/// @param sent flows whose end at the sender counts
/// @param received flows whose end at the receiver counts
/// @param count how many of these ends start the flow
public record After(List<Integer> sent, List<Integer> received, int count) {
    /// No other flow starts it.
    public static final After NOTHING = new After(List.of(), List.of(), 0);

    public After {
        sent = List.copyOf(sent);
        received = List.copyOf(received);
        int ends = sent.size() + received.size();
        if (count < Math.min(1, ends) || count > ends) {
            throw new IllegalArgumentException(
                    "a flow that starts after %d of %d ends: use %d to %d"
                            .formatted(count, ends, Math.min(1, ends), ends));
        }
    }

    /// The end of one flow at its sender.
    public static After sent(int flow) {
        return new After(List.of(flow), List.of(), 1);
    }

    /// The ends of all these flows at their senders.
    public static After all(List<Integer> flows) {
        return new After(flows, List.of(), flows.size());
    }

    boolean isNothing() {
        return count == 0;
    }
}
