package dev.verbena.transport;

import dev.verbena.transport.carrier.OutboundPacket;
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
final class UcSender extends UnreliableSendQueue {
    private static final List<Message.Kind> KINDS =
            List.of(
                    Message.Kind.SEND,
                    Message.Kind.SEND_IMMEDIATE,
                    Message.Kind.WRITE,
                    Message.Kind.WRITE_IMMEDIATE,
                    Message.Kind.BIND);

    private final UcEndpoint endpoint;
    private final int[] weights = new int[KINDS.size()];

    UcSender(UcEndpoint endpoint, int quota) {
        this.endpoint = endpoint;
        super(endpoint, quota);
        for (int i = 0; i < weights.length; i++) {
            weights[i] = choices.chance(0.25) ? 0 : choices.between(1, 10);
        }
        weights[0]++;
    }

    @Override
    UnreliableMessage draw(long id) {
        Message.Kind kind = KINDS.get(choices.weighted(weights));
        if (kind == Message.Kind.BIND) {
            UnreliableMessage change = change(id);
            if (change != null) {
                return change;
            }
            kind = Message.Kind.SEND;
        }
        Message message = new Message(kind, id);
        Workload.gather(message, length(), choices);
        message.immediate = message.hasImmediate() ? (int) choices.interesting(32) : 0;
        message.solicited = message.kind.received && choices.chance(0.3);
        int packets = Math.max(1, (message.length + endpoint.mtu - 1) / endpoint.mtu);
        UnreliableMessage posting = new UnreliableMessage(this, message, packets);
        if (kind.isWrite()) {
            aim(posting);
        }
        return posting;
    }

    private int length() {
        int most = endpoint.longest;
        return switch (choices.weighted(1, 6, 4, 4)) {
            case 0 -> 0;
            case 1 -> choices.between(1, Math.min(64, most));
            case 2 -> choices.between(0, Math.min(endpoint.mtu, most));
            default -> most - choices.between(0, Math.min(most, 3));
        };
    }

    /// A change of our window; now and then one that cannot be made.
    private @Nullable UnreliableMessage change(long id) {
        if (endpoint.windowModels.isEmpty()) {
            return null;
        }
        WindowModel windowModel = endpoint.windowModels.getFirst();
        if (windowModel.isBound(WindowType.TYPE_2) && choices.chance(0.05)) {
            Message message = new Message(Message.Kind.BIND, id);
            message.windowModel = windowModel;
            message.failure = Set.of(CompletionStatus.WINDOW_BIND_ERROR);
            return new UnreliableMessage(this, message, 0);
        }
        if (choices.chance(0.05)) {
            Message message = new Message(Message.Kind.LOCAL_INVALIDATE, id);
            message.key = windowModel.staleKey;
            message.failure = Set.of(CompletionStatus.LOCAL_QUEUE_PAIR_ERROR);
            return new UnreliableMessage(this, message, 0);
        }
        if (!windowModel.mayChange()) {
            return null;
        }
        Message message = new Message(windowModel.change(), id);
        message.windowModel = windowModel;
        windowModel.changing(message);
        return new UnreliableMessage(this, message, 0);
    }

    private void aim(UnreliableMessage posting) {
        UcEndpoint peer = endpoint.peer();
        Message message = posting.message;
        WindowModel windowModel =
                peer.windowModels.isEmpty() || choices.chance(0.5)
                        ? null
                        : peer.windowModels.getFirst();
        if (windowModel != null && windowModel.isBound()) {
            WindowModel.Binding open = windowModel.binding();
            boolean inside = message.length <= open.length() && choices.chance(0.9);
            message.key = open.key();
            posting.address =
                    windowModel.region.address()
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
        posting.address = region.address() + choices.between(0, Math.max(0, room));
        switch (wrong) {
            case 1 -> message.key = ~message.key;
            case 2 -> posting.address = region.address() - 1;
            case 3 -> posting.address = region.address() + region.length() - message.length + 1;
            default -> {
                // Right, or another region.
            }
        }
    }

    @Override
    void begin(SendBatch batch, UnreliableMessage posting) {
        Message message = posting.message;
        switch (message.kind) {
            case SEND -> batch.send();
            case SEND_IMMEDIATE -> batch.sendImmediate(message.immediate);
            case WRITE -> batch.write(posting.address, message.key);
            case WRITE_IMMEDIATE ->
                    batch.writeImmediate(posting.address, message.key, message.immediate);
            case BIND -> Objects.requireNonNull(message.windowModel).bind(batch, message);
            default -> batch.localInvalidate(message.key);
        }
        // When it is done, the model must know at once.
        message.signaled |= message.kind.isLocal();
    }

    @Override
    void check(UnreliableMessage posting, OutboundPacket packet) {
        long at = packet.headerAt();
        Opcode opcode = Opcode.of(Bth.opcode(packet.header(), at));
        int rest = posting.message.length - posting.sent * endpoint.mtu;
        member.require(
                Bth.destQp(packet.header(), at) == endpoint.peer().number
                        && packet.payloadLength() == Math.min(endpoint.mtu, rest),
                "%s left with %d bytes",
                posting,
                packet.payloadLength());
        if (opcode.has(ExtendedHeader.RETH)) {
            long reth = at + Bth.LENGTH;
            member.require(
                    Reth.address(packet.header(), reth) == posting.address
                            && Reth.rkey(packet.header(), reth) == posting.message.key
                            && Reth.lengthBytes(packet.header(), reth) == posting.message.length,
                    "%s left for another place",
                    posting);
        }
    }

    @Override
    void done(UnreliableMessage posting) {
        if (posting.message.windowModel != null) {
            posting.message.windowModel.changed();
        }
    }

    @Override
    void failed(UnreliableMessage posting) {
        if (posting.message.windowModel != null && posting.message.failure.isEmpty()) {
            posting.message.windowModel.cancel();
        }
    }
}
