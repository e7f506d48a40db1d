package dev.verbena.transport;

import dev.verbena.transport.carrier.OutboundPacket;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendBatch;
import dev.verbena.wire.Bth;
import dev.verbena.wire.Deth;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// The send queue of a UD endpoint: datagrams to existing and missing peers, over paths that it
/// opens and closes as it goes.
final class UdSender extends UnreliableSendQueue {
    private static final int HANDLES_MAX = 6;

    private final UdEndpoint station;
    private final List<AddressHandle> handles = new ArrayList<>();

    UdSender(UdEndpoint station, int quota) {
        this.station = station;
        super(station, quota);
    }

    @Override
    UnreliableMessage draw(long id) {
        boolean immediate = choices.chance(0.3);
        Message message =
                new Message(immediate ? Message.Kind.SEND_IMMEDIATE : Message.Kind.SEND, id);
        int length =
                switch (choices.weighted(1, 6, 2, 2)) {
                    case 0 -> 0;
                    case 1 -> choices.between(1, 64);
                    case 2 -> choices.between(0, UdEndpoint.MTU);
                    default -> UdEndpoint.MTU - choices.between(0, 3);
                };
        Workload.gather(message, length, choices);
        message.immediate = immediate ? (int) choices.interesting(32) : 0;
        message.solicited = choices.chance(0.3);
        UnreliableMessage posting = new UnreliableMessage(this, message, 1);
        address(posting);
        return posting;
    }

    /// Mostly to an endpoint that exists; else to a group, to a queue pair of another service, to a
    /// number that does not exist, or to a host that does not exist.
    private void address(UnreliableMessage posting) {
        Host target = choices.pick(run.hosts);
        int key = station.queueKey;
        switch (choices.weighted(12, 4, 1, 1, 1)) {
            case 0 -> {
                UdEndpoint to = choices.pick(run.stations(target));
                posting.queuePair = to.number;
                key = to.queueKey;
                posting.way = way(target.index);
            }
            case 1 -> {
                posting.queuePair = QueuePair.MULTICAST_NUMBER;
                posting.way = vary(run.groups().address(run.groups().pick(choices)));
            }
            case 2 -> {
                UnreliableEndpoint unreliable = choices.pick(target.unreliable);
                posting.queuePair =
                        unreliable instanceof UcEndpoint
                                ? unreliable.number
                                : choices.pick(target.endpoints).number;
                posting.way = way(target.index);
            }
            case 3 -> {
                posting.queuePair = choices.between(2, 15);
                posting.way = way(target.index);
            }
            default -> {
                posting.queuePair = choices.pick(run.stations(target)).number;
                posting.way = way(CampaignRun.NOBODY);
            }
        }
        boolean wrong = choices.chance(0.1);
        posting.queueKey = wrong ? (int) choices.bits(31) : key;
    }

    private Address way(int host) {
        return vary(run.plan.address(host, choices.chance(0.5)));
    }

    private Address vary(Address plain) {
        Address level = plain.withServiceLevel(choices.between(0, 7));
        return choices.chance(0.5)
                ? level
                : level.withTrafficClass(choices.between(0, 255))
                        .withFlowLabel((int) choices.bits(20));
    }

    @Override
    void begin(SendBatch batch, UnreliableMessage posting) {
        Message message = posting.message;
        if (message.hasImmediate()) {
            batch.sendImmediate(message.immediate);
        } else {
            batch.send();
        }
        AddressHandle handle = handle(posting);
        posting.way = handle.address();
        boolean own = posting.queueKey == station.queueKey && choices.chance(0.3);
        // IBA 10.2.5: with the highest bit set, our own key is shown.
        int shown = own ? choices.between(Integer.MIN_VALUE, -1) : posting.queueKey;
        batch.to(handle, posting.queuePair, shown);
        if (choices.chance(0.1)) {
            handles.remove(handle);
            handle.close();
        }
    }

    /// One that leads to the same place, or a new one.
    private AddressHandle handle(UnreliableMessage posting) {
        Address way = Objects.requireNonNull(posting.way);
        for (AddressHandle known : handles) {
            Gid gid = known.address().gid();
            if (known.address().lid() == way.lid() && gid.equals(way.gid())) {
                if (choices.chance(0.7)) {
                    return known;
                }
            }
        }
        if (handles.size() == HANDLES_MAX) {
            handles.removeFirst().close();
        }
        AddressHandle handle = host.domain.addressHandle(way);
        handles.add(handle);
        return handle;
    }

    @Override
    void check(UnreliableMessage posting, OutboundPacket packet) {
        MemorySegment header = packet.header();
        long at = packet.headerAt();
        long deth = at + Bth.LENGTH;
        member.require(
                Bth.destQp(header, at) == posting.queuePair
                        && Deth.sourceQp(header, deth) == member.number
                        && Deth.qkey(header, deth) == posting.queueKey
                        && packet.payloadLength() == posting.message.length,
                "%s left to qp 0x%x with queue key 0x%x",
                posting,
                Bth.destQp(header, at),
                Deth.qkey(header, deth));
        member.require(
                packet.path().address().equals(posting.way),
                "%s left by %s",
                posting,
                packet.path().address());
    }

    void closeHandles() {
        handles.forEach(AddressHandle::close);
    }
}
