package dev.verbena.transport;

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
final class Station extends LooseMember {
    static final int MTU = 4096;
    private static final int HEADER = DatagramHeader.LENGTH;

    final int queueKey;
    final int partition;
    private final Postman postman;

    Station(CampaignRun run, Host host, int index, int queueKey, int quota) {
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
        postman = new Postman(this, quota);
        int psn = run.plan.psn();
        postman.startAt(psn);
        queuePair.activate(a -> a.sendPsn(psn));
    }

    @Override
    LooseSender sender() {
        return postman;
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
    void expect(InboundPacket packet, Ledger ledger) {
        if (!admits(packet, ledger)) {
            return;
        }
        Letter letter = run.letterOf(packet);
        int length = letter.message.length;
        Station from = (Station) letter.from.member;
        if (!Pkey.match(partition, from.partition)) {
            ledger.owe(Counter.DROPPED_PARTITION);
        } else if (letter.queueKey != queueKey) {
            ledger.owe(Counter.DROPPED_QUEUE_KEY);
        } else if (!hasReceive()) {
            ledger.owe(Counter.DROPPED_NO_RECEIVE);
        } else if (HEADER + length > Objects.requireNonNull(pool.posted.peek()).capacity()) {
            ledger.owe(Counter.DROPPED_LENGTH);
        } else {
            Receive receive = take();
            if (isDying(receive) && (isGlobal(letter) || (length > 0 && !letter.message.phantom))) {
                fail(receive, ledger);
                return;
            }
            ledger.owe(Counter.RECEIVED_DATAGRAMS);
            owe(receive, CompletionStatus.SUCCESS, letter);
        }
    }

    private boolean isGlobal(Letter letter) {
        return run.plan.layer == LinkLayer.ETHERNET
                || !Objects.requireNonNull(letter.way).gid().equals(Gid.NONE);
    }

    @Override
    void check(Due expected, Letter letter, Completion completion) {
        Message message = letter.message;
        Host from = letter.from.host;
        Address way = Objects.requireNonNull(letter.way);
        boolean hasLids = run.plan.layer == LinkLayer.INFINIBAND;
        boolean global = isGlobal(letter);
        require(
                completion.operation() == CompletedOperation.RECEIVE
                        && completion.byteLength() == HEADER + message.length,
                "%s came with %d bytes",
                letter,
                completion.byteLength());
        require(
                completion.hasImmediate() == message.hasImmediate()
                        && completion.immediate() == message.immediate
                        && completion.isSolicited() == message.solicited
                        && !completion.hasInvalidatedKey(),
                "%s came as %s",
                letter,
                completion);
        require(
                completion.sourceQueuePair() == letter.from.member.number
                        && completion.sourceLid() == (hasLids ? from.index + 1 : 0)
                        && completion.serviceLevel() == way.serviceLevel()
                        && completion.hasGlobalHeader() == global,
                "%s came from qp 0x%x, lid %d",
                letter,
                completion.sourceQueuePair(),
                completion.sourceLid());
        Receive receive = expected.receive();
        if (global) {
            checkHeader(receive, letter, way);
        } else {
            require(pool.isEmpty(receive, HEADER), "%s has a header", letter);
        }
        require(
                message.phantom || pool.holds(receive, HEADER, message, from.source),
                "%s came with other bytes in %s",
                letter,
                receive);
        int bytes = HEADER + (message.phantom ? 0 : message.length);
        require(pool.empty(receive, bytes), "%s wrote behind its end", letter);
    }

    private void checkHeader(Receive receive, Letter letter, Address way) {
        MemorySegment header = pool.head(receive, HEADER);
        boolean isIpv4 = run.plan.gid(0).isIpv4();
        require(
                DatagramHeader.isIpv4(header, 0) == isIpv4
                        && DatagramHeader.source(header, 0)
                                .equals(run.plan.gid(letter.from.host.index))
                        && DatagramHeader.destination(header, 0).equals(way.gid())
                        && DatagramHeader.trafficClass(header, 0) == way.trafficClass()
                        && DatagramHeader.flowLabel(header, 0) == (isIpv4 ? 0 : way.flowLabel()),
                "%s came with another header: %s to %s",
                letter,
                DatagramHeader.source(header, 0),
                DatagramHeader.destination(header, 0));
    }

    @Override
    void close() {
        postman.closeHandles();
        super.close();
    }
}
