package dev.verbena.transport;

import dev.verbena.testkit.Choices;
import dev.verbena.verbs.MemoryRegion;
import java.util.List;

/// Requests that are posted to fail: which kind each fault needs, and where it is aimed.
final class FaultyRequests {
    private static final List<Message.Kind> ONE_SIDED =
            List.of(
                    Message.Kind.WRITE,
                    Message.Kind.WRITE_IMMEDIATE,
                    Message.Kind.READ,
                    Message.Kind.COMPARE_SWAP,
                    Message.Kind.FETCH_ADD);

    private FaultyRequests() {}

    static Message.Kind kind(Fault fault, Choices choices) {
        return switch (fault) {
            case BAD_KEY, MISSING_RIGHT, CLOSED_REGION, INVALIDATED_KEY -> choices.pick(ONE_SIDED);
            case OUT_OF_BOUNDS -> choices.chance(0.5) ? Message.Kind.WRITE : Message.Kind.READ;
            case WRONG_INVALIDATE -> Message.Kind.SEND_INVALIDATE;
            case OPERATION_NOT_ALLOWED -> Message.Kind.READ;
            case MISALIGNED_ATOMIC -> Message.Kind.FETCH_ADD;
            case WRONG_LOCAL_INVALIDATE -> Message.Kind.LOCAL_INVALIDATE;
            case SMALL_RECEIVE, RECEIVE_MEMORY_GONE, SOURCE_MEMORY_GONE -> Message.Kind.SEND;
            default -> throw new AssertionError(fault + " is not about a request");
        };
    }

    static void aim(Message message, Fault fault, Lane lane) {
        Lane peer = lane.peer();
        switch (fault) {
            case BAD_KEY -> aim(message, peer.wordsRegion, ~peer.wordsRegion.remoteKey());
            case OUT_OF_BOUNDS -> {
                Area area = peer.written;
                aim(message, area.region, area.region.remoteKey());
                boolean before = lane.choices.chance(0.3);
                message.address = area.address(before ? -1 : area.length() - 3);
            }
            case MISSING_RIGHT -> {
                // The source may be read only, the counters are for atomics only.
                MemoryRegion region =
                        message.kind == Message.Kind.READ
                                ? peer.host.counters
                                : peer.host.sourceRegion;
                aim(message, region, region.remoteKey());
            }
            case CLOSED_REGION -> {
                MemoryRegion spare = peer.spare;
                aim(message, spare, spare.remoteKey());
                spare.close();
            }
            case INVALIDATED_KEY -> {
                int old = peer.spare.remoteKey();
                peer.spare.renew();
                aim(message, peer.spare, old);
            }
            case WRONG_INVALIDATE ->
                    message.key =
                            lane.choices.chance(0.5)
                                    ? peer.wordsRegion.remoteKey()
                                    : ~peer.wordsRegion.remoteKey();
            case MISALIGNED_ATOMIC -> {
                aim(message, peer.wordsRegion, peer.wordsRegion.remoteKey());
                message.address += lane.choices.between(1, 7);
            }
            case WRONG_LOCAL_INVALIDATE -> message.key = ~lane.wordsRegion.remoteKey();
            case OPERATION_NOT_ALLOWED -> {
                MemoryRegion region = peer.host.sourceRegion;
                aim(message, region, region.remoteKey());
            }
            default -> {
                // A plain SEND: what is wrong is elsewhere.
            }
        }
    }

    private static void aim(Message message, MemoryRegion region, int key) {
        message.address = region.address();
        message.key = key;
    }
}
