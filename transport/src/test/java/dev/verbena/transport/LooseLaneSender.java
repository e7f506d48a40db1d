package dev.verbena.transport;

import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.SendBatch;
import dev.verbena.verbs.WindowType;
import dev.verbena.wire.Bth;
import dev.verbena.wire.ExtendedHeader;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Reth;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The send queue of an unreliable connection: SENDs, WRITEs to where they may go and to where they
/// may not, and changes of windows.
final class LooseLaneSender extends LooseSender {
    private static final List<Message.Kind> KINDS =
            List.of(
                    Message.Kind.SEND,
                    Message.Kind.SEND_IMMEDIATE,
                    Message.Kind.WRITE,
                    Message.Kind.WRITE_IMMEDIATE,
                    Message.Kind.BIND);

    private final LooseLane lane;
    private final int[] weights = new int[KINDS.size()];

    LooseLaneSender(LooseLane lane, int quota) {
        this.lane = lane;
        super(lane, quota);
        for (int i = 0; i < weights.length; i++) {
            weights[i] = choices.chance(0.25) ? 0 : choices.between(1, 10);
        }
        weights[0]++;
    }

    @Override
    Letter draw(long id) {
        Message.Kind kind = KINDS.get(choices.weighted(weights));
        if (kind == Message.Kind.BIND) {
            Letter change = change(id);
            if (change != null) {
                return change;
            }
            kind = Message.Kind.SEND;
        }
        Message message = new Message(kind, id);
        Workload.gather(message, length(), choices);
        message.immediate = message.hasImmediate() ? (int) choices.interesting(32) : 0;
        message.solicited = message.kind.received && choices.chance(0.3);
        int packets = Math.max(1, (message.length + lane.mtu - 1) / lane.mtu);
        Letter letter = new Letter(this, message, packets);
        if (kind.isWrite()) {
            aim(letter);
        }
        return letter;
    }

    private int length() {
        int most = lane.longest;
        return switch (choices.weighted(1, 6, 4, 4)) {
            case 0 -> 0;
            case 1 -> choices.between(1, Math.min(64, most));
            case 2 -> choices.between(0, Math.min(lane.mtu, most));
            default -> most - choices.between(0, Math.min(most, 3));
        };
    }

    /// A change of our window; now and then one that cannot be made.
    private @Nullable Letter change(long id) {
        if (lane.openings.isEmpty()) {
            return null;
        }
        Opening opening = lane.openings.getFirst();
        if (opening.isBound(WindowType.TYPE_2) && choices.chance(0.05)) {
            Message message = new Message(Message.Kind.BIND, id);
            message.opening = opening;
            message.failure = Set.of(CompletionStatus.WINDOW_BIND_ERROR);
            return new Letter(this, message, 0);
        }
        if (choices.chance(0.05)) {
            Message message = new Message(Message.Kind.LOCAL_INVALIDATE, id);
            message.key = opening.staleKey;
            message.failure = Set.of(CompletionStatus.LOCAL_QUEUE_PAIR_ERROR);
            return new Letter(this, message, 0);
        }
        if (!opening.mayChange()) {
            return null;
        }
        Message message = new Message(opening.change(), id);
        message.opening = opening;
        opening.changing(message);
        return new Letter(this, message, 0);
    }

    private void aim(Letter letter) {
        LooseLane peer = lane.peer();
        Message message = letter.message;
        Opening opening =
                peer.openings.isEmpty() || choices.chance(0.5) ? null : peer.openings.getFirst();
        if (opening != null && opening.isBound()) {
            Opening.Binding open = opening.binding();
            boolean inside = message.length <= open.length() && choices.chance(0.9);
            message.key = open.key();
            letter.address =
                    opening.region.address()
                            + open.from()
                            + (inside ? choices.between(0, open.length() - message.length) : -1);
            return;
        }
        MemoryRegion region = peer.written.region;
        int wrong = choices.weighted(20, 1, 1, 1, 1, 1);
        if (wrong == 4) {
            region = peer.host.sourceRegion;
        } else if (wrong == 5) {
            region = peer.host.elsewhere;
        }
        message.key = region.remoteKey();
        int room = (int) region.length() - message.length;
        letter.address = region.address() + choices.between(0, Math.max(0, room));
        switch (wrong) {
            case 1 -> message.key = ~message.key;
            case 2 -> letter.address = region.address() - 1;
            case 3 -> letter.address = region.address() + region.length() - message.length + 1;
            default -> {
                // Right, or another region.
            }
        }
    }

    @Override
    void begin(SendBatch batch, Letter letter) {
        Message message = letter.message;
        switch (message.kind) {
            case SEND -> batch.send();
            case SEND_IMMEDIATE -> batch.sendImmediate(message.immediate);
            case WRITE -> batch.write(letter.address, message.key);
            case WRITE_IMMEDIATE ->
                    batch.writeImmediate(letter.address, message.key, message.immediate);
            case BIND -> Objects.requireNonNull(message.opening).bind(batch, message);
            default -> batch.localInvalidate(message.key);
        }
        // When it is done, the model must know at once.
        message.signaled |= message.kind.isLocal();
    }

    @Override
    void check(Letter letter, OutboundPacket packet) {
        long at = packet.headerAt();
        Opcode opcode = Opcode.of(Bth.opcode(packet.header(), at));
        int rest = letter.message.length - letter.sent * lane.mtu;
        member.require(
                Bth.destQp(packet.header(), at) == lane.peer().number
                        && packet.payloadLength() == Math.min(lane.mtu, rest),
                "%s left with %d bytes",
                letter,
                packet.payloadLength());
        if (opcode.has(ExtendedHeader.RETH)) {
            long reth = at + Bth.LENGTH;
            member.require(
                    Reth.address(packet.header(), reth) == letter.address
                            && Reth.rkey(packet.header(), reth) == letter.message.key
                            && Reth.lengthBytes(packet.header(), reth) == letter.message.length,
                    "%s left for another place",
                    letter);
        }
    }

    @Override
    void done(Letter letter) {
        if (letter.message.opening != null) {
            letter.message.opening.changed();
        }
    }

    @Override
    void failed(Letter letter) {
        if (letter.message.opening != null && letter.message.failure.isEmpty()) {
            letter.message.opening.cancel();
        }
    }
}
