package dev.verbena.subnet;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.fabric.manage.MadEnvelope;
import dev.verbena.fabric.manage.ManagementPort;
import dev.verbena.wire.Gid;
import dev.verbena.wire.mad.InformInfo;
import dev.verbena.wire.mad.Mad;
import dev.verbena.wire.mad.MadMethod;
import dev.verbena.wire.mad.McMemberRecord;
import dev.verbena.wire.mad.SaHeader;
import dev.verbena.wire.mad.SaRecord;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/// Hosts that ask the manager of a [Lab], each by a client of its own.
final class SaLab {
    static final long PREFIX = 0xFE80_0000_0000_0000L;
    static final int JOIN = 1 | 1 << 1 | 1 << 16;
    static final int CREATE = JOIN | 1 << 2 | 1 << 6 | 1 << 7 | 1 << 12 | 1 << 13;
    private static final long SECOND_NS = 1_000_000_000L;

    final Lab lab;
    private final long prefix;
    private final Map<Integer, SaClient> clients = new HashMap<>();
    private final Map<Integer, ArrayDeque<MemorySegment>> inboxes = new HashMap<>();

    /// Datagrams to hosts that are lost.
    Predicate<MemorySegment> loses = _ -> false;

    /// Reports that have come, by host.
    final Map<Integer, List<MemorySegment>> reports = new HashMap<>();

    boolean answersReports = true;
    long key;

    SaLab(PlainPlane plane) {
        this(plane, ManagerSettings.DEFAULT.withSweepNs(0));
    }

    SaLab(PlainPlane plane, ManagerSettings settings) {
        lab = new Lab(plane, settings);
        prefix = settings.prefix();
        lab.bringUp();
    }

    Gid gid(int node) {
        return new Gid(prefix, lab.plane.portGuid(node));
    }

    int lid(int node) {
        return lab.subnet.lid(node);
    }

    private SaClient client(int host) {
        return clients.computeIfAbsent(
                host,
                _ -> {
                    attach(host);
                    return new SaClient(
                            new SaClient.Settings(lab.subnet.lid(0), 4 * SECOND_NS, 2, key));
                });
    }

    private void attach(int host) {
        ArrayDeque<MemorySegment> inbox = new ArrayDeque<>();
        inboxes.put(host, inbox);
        ManagementPort port = lab.subnet.port(host);
        port.receiver(
                (_, mad) -> {
                    inbox.add(MemorySegment.ofArray(new byte[Mad.LENGTH_TOTAL]).copyFrom(mad));
                    return true;
                });
    }

    /// Asks, and waits for the end of the request.
    SaAnswer ask(int host, int method, SaRecord record, MemorySegment template, long mask) {
        long number = client(host).ask(method, record, template, mask);
        for (int step = 0; step < 1000; step++) {
            exchange();
            SaAnswer answer = client(host).poll().orElse(null);
            if (answer != null) {
                assertThat(answer.request()).isEqualTo(number);
                return answer;
            }
            long next = Math.min(client(host).timeoutNs(), lab.manager.timeoutNs());
            lab.plane.advance(next);
            lab.manager.handleTimeout(next);
            client(host).handleTimeout(next);
        }
        throw new AssertionError("an end of the request");
    }

    /// Lets the time of the next timeout come.
    void step() {
        assertThat(lab.manager.timeoutNs()).as("a timeout").isNotEqualTo(Long.MAX_VALUE);
        long next = Math.max(lab.manager.timeoutNs(), lab.plane.nowNs());
        lab.plane.advance(next);
        lab.manager.handleTimeout(next);
        exchange();
    }

    /// Lets all datagrams go that are under way.
    void exchange() {
        boolean hasMore = true;
        while (hasMore) {
            long before = lab.sent;
            lab.exchange();
            hasMore = lab.sent != before;
            for (int host : List.copyOf(clients.keySet())) {
                hasMore |= serve(host);
            }
        }
    }

    private boolean serve(int host) {
        SaClient client = client(host);
        long nowNs = lab.plane.nowNs();
        boolean hasMore = client.transmit(nowNs, (lid, pair, mad) -> send(host, lid, pair, mad));
        ArrayDeque<MemorySegment> inbox = inboxes.getOrDefault(host, new ArrayDeque<>());
        while (!inbox.isEmpty()) {
            hasMore = true;
            MemorySegment mad = inbox.remove();
            if (loses.test(mad)) {
                continue;
            }
            if (Mad.method(mad, 0) == MadMethod.REPORT) {
                reports.computeIfAbsent(host, _ -> new ArrayList<>()).add(mad);
                if (answersReports) {
                    MemorySegment answer =
                            MemorySegment.ofArray(new byte[Mad.LENGTH_TOTAL]).copyFrom(mad);
                    answer.set(JAVA_BYTE, 3, (byte) MadMethod.REPORT_RESPONSE);
                    send(host, lid(0), 1, answer);
                }
            } else {
                client.handle(nowNs, mad);
            }
        }
        return hasMore;
    }

    void send(int host, int lid, int pair, MemorySegment mad) {
        if (host == 0) {
            lab.manager.handle(lab.plane.nowNs(), lid(0), pair, mad);
        } else {
            lab.subnet.port(host).send(new MadEnvelope(lid, 0, pair, 1), mad);
        }
    }

    static MemorySegment blank() {
        return MemorySegment.ofArray(new byte[SaHeader.DATA_LENGTH]);
    }

    /// A wish to join or leave.
    MemorySegment member(int host, Gid group, int bits) {
        MemorySegment record = blank();
        group.emit(record, 0);
        gid(host).emit(record, 16);
        McMemberRecord.QKEY.write(record, 0, 0xB1B);
        McMemberRecord.PKEY.write(record, 0, 0xFFFF);
        McMemberRecord.JOIN_STATE.write(record, 0, bits);
        return record;
    }

    SaAnswer join(int host, Gid group, int bits) {
        return ask(
                host, MadMethod.SET, SaRecord.MULTICAST_MEMBER, member(host, group, bits), CREATE);
    }

    SaAnswer leave(int host, Gid group, int bits) {
        return ask(
                host, MadMethod.DELETE, SaRecord.MULTICAST_MEMBER, member(host, group, bits), JOIN);
    }

    SaAnswer subscribe(int host, boolean is, int trap) {
        MemorySegment info = blank();
        InformInfo.LID_RANGE_BEGIN.write(info, 0, 0xFFFF);
        InformInfo.IS_GENERIC.write(info, 0, 1);
        InformInfo.SUBSCRIBE.write(info, 0, is ? 1 : 0);
        InformInfo.TYPE.write(info, 0, 0xFFFF);
        InformInfo.TRAP_NUMBER.write(info, 0, trap);
        InformInfo.PRODUCER_TYPE.write(info, 0, 0xFF_FFFF);
        return ask(host, MadMethod.SET, SaRecord.INFORM_INFO, info, 0);
    }
}
