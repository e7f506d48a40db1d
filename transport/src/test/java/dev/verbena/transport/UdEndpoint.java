package dev.verbena.transport;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.transport.carrier.InboundPacket;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.CompletedOperation;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.DatagramHeader;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.wire.Pkey;
import dev.verbena.wire.Service;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/// A datagram queue pair: every packet that its device is given for it is delivered whole, or
/// dropped for the reason that the model gives.
final class UdEndpoint extends UnreliableEndpoint {
    static final int MTU = 4096;
    private static final int HEADER = DatagramHeader.LENGTH;

    final int queueKey;
    final int partition;
    private final UdSender udSender;

    UdEndpoint(CampaignRun run, Host host, int index, int queueKey, int quota) {
        int partitionIndex = run.plan.choices.chance(0.15) ? 1 : 0;
        super(
                run,
                host,
                index,
                QueuePairType.UD,
                HEADER + MTU,
                options -> options.queueKey(queueKey).partitionIndex(partitionIndex));
        this.queueKey = queueKey;
        partition = host.device.partitionKeys(1).get(partitionIndex);
        udSender = new UdSender(this, quota);
        int psn = run.plan.psn();
        udSender.startAt(psn);
        queuePair.activate(a -> a.sendPsn(psn));
    }

    @Override
    UnreliableSendQueue sender() {
        return udSender;
    }

    @Override
    Service service() {
        return Service.UD;
    }

    @Override
    int capacity() {
        // One that is too small stays the oldest until something comes that fits.
        return choices.chance(0.93)
                ? HEADER + MTU
                : choices.between(HEADER, HEADER + (choices.chance(0.2) ? 8 : MTU));
    }

    @Override
    void advance() {
        super.advance();
        if (closed || stopped) {
            return;
        }
        if (choices.chance(0.02)) {
            Groups groups = run.groups();
            groups.change(this, groups.pick(choices));
        }
    }

    @Override
    void end() {
        super.end();
        if (closed) {
            run.groups().forget(this);
        }
    }

    @Override
    void expect(InboundPacket packet, CounterModel model) {
        if (!admits(packet, model)) {
            return;
        }
        UnreliableMessage posting = run.letterOf(packet);
        int length = posting.message.length;
        UdEndpoint from = (UdEndpoint) posting.from.member;
        if (!Pkey.match(partition, from.partition)) {
            model.owe(Counter.DROPPED_PARTITION);
        } else if (posting.queueKey != queueKey) {
            model.owe(Counter.DROPPED_QUEUE_KEY);
        } else if (!hasReceive()) {
            model.owe(Counter.DROPPED_NO_RECEIVE);
        } else if (HEADER + length > Objects.requireNonNull(pool.posted.peek()).capacity()) {
            model.owe(Counter.DROPPED_LENGTH);
        } else {
            Receive receive = take();
            if (isDying(receive)
                    && (isGlobal(posting) || (length > 0 && !posting.message.phantom))) {
                fail(receive, model);
                return;
            }
            model.owe(Counter.RECEIVED_DATAGRAMS);
            owe(receive, CompletionStatus.SUCCESS, posting);
        }
    }

    private boolean isGlobal(UnreliableMessage posting) {
        return run.plan.layer == LinkLayer.ETHERNET
                || !Objects.requireNonNull(posting.way).gid().equals(Gid.NONE);
    }

    @Override
    void check(Due expected, UnreliableMessage posting, Completion completion) {
        Message message = posting.message;
        Host from = posting.from.host;
        Address way = Objects.requireNonNull(posting.way);
        boolean hasLids = run.plan.layer == LinkLayer.INFINIBAND;
        boolean global = isGlobal(posting);
        require(
                completion.operation() == CompletedOperation.RECEIVE
                        && completion.byteLength() == HEADER + message.length,
                "%s came with %d bytes",
                posting,
                completion.byteLength());
        require(
                completion.hasImmediate() == message.hasImmediate()
                        && completion.immediate() == message.immediate
                        && completion.isSolicited() == message.solicited
                        && !completion.hasInvalidatedKey(),
                "%s came as %s",
                posting,
                completion);
        require(
                completion.sourceQueuePair() == posting.from.member.number
                        && completion.sourceLid() == (hasLids ? from.index + 1 : 0)
                        && completion.serviceLevel() == way.serviceLevel()
                        && completion.hasGlobalHeader() == global,
                "%s came from qp 0x%x, lid %d",
                posting,
                completion.sourceQueuePair(),
                completion.sourceLid());
        Receive receive = expected.receive();
        if (global) {
            checkHeader(receive, posting, way);
        } else {
            require(pool.isEmpty(receive, HEADER), "%s has a header", posting);
        }
        require(
                message.phantom || pool.holds(receive, HEADER, message, from.source),
                "%s came with other bytes in %s",
                posting,
                receive);
        int bytes = HEADER + (message.phantom ? 0 : message.length);
        require(pool.empty(receive, bytes), "%s wrote behind its end", posting);
    }

    private void checkHeader(Receive receive, UnreliableMessage posting, Address way) {
        MemorySegment header = pool.head(receive, HEADER);
        boolean isIpv4 = run.plan.gid(0).isIpv4();
        require(
                DatagramHeader.isIpv4(header, 0) == isIpv4
                        && DatagramHeader.source(header, 0)
                                .equals(run.plan.gid(posting.from.host.index))
                        && DatagramHeader.destination(header, 0).equals(way.gid())
                        && DatagramHeader.trafficClass(header, 0) == way.trafficClass()
                        && DatagramHeader.flowLabel(header, 0) == (isIpv4 ? 0 : way.flowLabel()),
                "%s came with another header: %s to %s",
                posting,
                DatagramHeader.source(header, 0),
                DatagramHeader.destination(header, 0));
    }

    @Override
    void close() {
        udSender.closeHandles();
        super.close();
    }
}
