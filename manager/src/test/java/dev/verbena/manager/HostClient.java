package dev.verbena.manager;

import dev.verbena.cli.ibsim.IbsimPort;
import dev.verbena.subnet.SaAnswer;
import dev.verbena.subnet.SaClient;
import dev.verbena.wire.Gid;
import dev.verbena.wire.mad.InformInfo;
import dev.verbena.wire.mad.MadMethod;
import dev.verbena.wire.mad.McMemberRecord;
import dev.verbena.wire.mad.PortInfo;
import dev.verbena.wire.mad.SaHeader;
import dev.verbena.wire.mad.SaRecord;
import dev.verbena.wire.mad.SaStatus;
import dev.verbena.wire.mad.ServiceRecord;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// A host that asks subnet administration: joins groups, offers a service, wants reports, and later
/// asks whether all of that is still known.
final class HostClient implements AutoCloseable {
    private static final long TIMEOUT_NS = TimeUnit.MILLISECONDS.toNanos(300);
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(20);
    private static final long PREFIX = 0xFE80_0000_0000_0000L;
    private static final int JOIN = 1 | 1 << 1 | 1 << 16;
    private static final int CREATE = JOIN | 1 << 2 | 1 << 6 | 1 << 7 | 1 << 12 | 1 << 13;
    private static final int SERVICE = 1 | 1 << 1 | 1 << 2;

    private final IbsimPort port;
    private final Gid own;

    HostClient(InetSocketAddress server, String host) throws IOException {
        port = new IbsimPort(server, host, false);
        own = new Gid(PREFIX, port.guid());
    }

    private static MemorySegment blank() {
        return MemorySegment.ofArray(new byte[SaHeader.DATA_LENGTH]);
    }

    /// Asks the manager that the port knows by now, until there is an answer that is not BUSY.
    private Optional<SaAnswer> ask(int method, SaRecord record, MemorySegment template, long mask)
            throws IOException {
        long untilNs = System.nanoTime() + LIMIT_NS;
        while (System.nanoTime() - untilNs < 0) {
            int manager = PortInfo.MASTER_SM_LID.readInt(port.portInfo(), 0);
            SaClient client = new SaClient(new SaClient.Settings(manager, TIMEOUT_NS, 0, 1));
            client.ask(method, record, template, mask);
            Optional<SaAnswer> answer = exchange(client);
            if (answer.isPresent() && answer.get().isOk()) {
                return answer;
            }
            if (answer.isPresent() && answer.get().status() == SaStatus.NO_RECORDS) {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    private Optional<SaAnswer> exchange(SaClient client) throws IOException {
        long untilNs = System.nanoTime() + 2 * TIMEOUT_NS;
        Optional<SaAnswer> answer = Optional.empty();
        while (answer.isEmpty() && System.nanoTime() - untilNs < 0) {
            while (client.transmit(System.nanoTime(), port::sendUnchecked)) {
                // All of them go.
            }
            port.receive((_, _, mad) -> client.handle(System.nanoTime(), mad));
            client.handleTimeout(System.nanoTime());
            answer = client.poll();
            if (answer.isEmpty()) {
                port.await(10);
            }
        }
        return answer;
    }

    private static Gid group(int number) {
        return new Gid(0xFF12_401B_FFFF_0000L, number);
    }

    private MemorySegment member(int number) {
        MemorySegment record = blank();
        group(number).emit(record, 0);
        own.emit(record, 16);
        McMemberRecord.QKEY.write(record, 0, 0xB1B);
        McMemberRecord.PKEY.write(record, 0, 0xFFFF);
        McMemberRecord.JOIN_STATE.write(record, 0, 1);
        return record;
    }

    private MemorySegment service(int number) {
        MemorySegment record = blank();
        ServiceRecord.SERVICE_ID.write(record, 0, number);
        own.emit(record, 8);
        ServiceRecord.SERVICE_PKEY.write(record, 0, 0xFFFF);
        ServiceRecord.SERVICE_LEASE.write(record, 0, 0xFFFF_FFFFL);
        return record;
    }

    boolean join(int number) throws IOException {
        return ask(MadMethod.SET, SaRecord.MULTICAST_MEMBER, member(number), CREATE).isPresent();
    }

    boolean offer(int number) throws IOException {
        return ask(MadMethod.SET, SaRecord.SERVICE, service(number), SERVICE).isPresent();
    }

    boolean subscribe() throws IOException {
        MemorySegment info = blank();
        InformInfo.LID_RANGE_BEGIN.write(info, 0, 0xFFFF);
        InformInfo.IS_GENERIC.write(info, 0, 1);
        InformInfo.SUBSCRIBE.write(info, 0, 1);
        InformInfo.TYPE.write(info, 0, 0xFFFF);
        InformInfo.TRAP_NUMBER.write(info, 0, 66);
        InformInfo.PRODUCER_TYPE.write(info, 0, 0xFF_FFFF);
        return ask(MadMethod.SET, SaRecord.INFORM_INFO, info, 0).isPresent();
    }

    boolean isMember(int number) throws IOException {
        return ask(MadMethod.GET, SaRecord.MULTICAST_MEMBER, member(number), 1 | 1 << 1)
                .isPresent();
    }

    boolean isOffered(int number) throws IOException {
        return ask(MadMethod.GET, SaRecord.SERVICE, service(number), 1 | 1 << 1).isPresent();
    }

    boolean isSubscribed() throws IOException {
        MemorySegment record = blank();
        own.emit(record, 0);
        return ask(MadMethod.GET, SaRecord.INFORM_INFO_RECORD, record, 1).isPresent();
    }

    @Override
    public void close() throws IOException {
        port.close();
    }
}
