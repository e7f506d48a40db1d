package dev.verbena.cli;

import dev.verbena.wire.Deth;
import dev.verbena.wire.ExtendedHeader;
import dev.verbena.wire.PacketView;
import java.util.List;
import java.util.Locale;

/// Chooses frames by queue pair, opcode or fault; an empty filter chooses all.
record FrameFilter(List<Integer> queuePairs, List<String> opcodes, boolean onlyBad) {

    boolean accepts(CapturedFrame frame) {
        return (!onlyBad || frame.isBad())
                && (queuePairs.isEmpty() || hasQueuePair(frame))
                && (opcodes.isEmpty() || hasOpcode(frame));
    }

    /// The destination's queue pair, or in datagrams the source's.
    private boolean hasQueuePair(CapturedFrame frame) {
        PacketView view = frame.view();
        if (!view.hasBth()) {
            return false;
        }
        boolean source =
                frame.isWhole()
                        && view.has(ExtendedHeader.DETH)
                        && queuePairs.contains(
                                Deth.sourceQp(view.segment(), view.at(ExtendedHeader.DETH)));
        return source || queuePairs.contains(view.destQp());
    }

    /// A number is the opcode's code, words are part of its name.
    private boolean hasOpcode(CapturedFrame frame) {
        if (!frame.view().hasBth()) {
            return false;
        }
        String name = frame.view().opcode().toString().toLowerCase(Locale.ROOT);
        String code = String.format(Locale.ROOT, "0x%02x", frame.view().opcode().code());
        return opcodes.stream()
                .map(word -> word.toLowerCase(Locale.ROOT))
                .anyMatch(word -> word.equals(code) || name.contains(word));
    }
}
