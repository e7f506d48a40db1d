package dev.verbena.subnet.admin;

import dev.verbena.subnet.admin.Members.Wish;
import dev.verbena.subnet.state.Command;
import dev.verbena.subnet.state.CommandLog;
import dev.verbena.subnet.state.Group;
import dev.verbena.subnet.state.Outcome;
import dev.verbena.subnet.state.Service;
import dev.verbena.subnet.state.SubnetState;
import dev.verbena.wire.BigEndian;
import dev.verbena.wire.Gid;
import dev.verbena.wire.mad.ClassPortInfo;
import dev.verbena.wire.mad.InformInfo;
import dev.verbena.wire.mad.Mad;
import dev.verbena.wire.mad.MadMethod;
import dev.verbena.wire.mad.MadStatus;
import dev.verbena.wire.mad.ManagementClass;
import dev.verbena.wire.mad.Rmpp;
import dev.verbena.wire.mad.SaHeader;
import dev.verbena.wire.mad.SaRecord;
import dev.verbena.wire.mad.SaStatus;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// Answers the datagrams of subnet administration.
public final class Administration {
    static final int RECORDS_MAX = 1 << 17;
    private static final int ANSWERS_MAX = 1024;
    private static final int RESPONSE = 0x80;
    private static final int METHOD_AT = 3;
    private static final int STATUS_AT = 4;
    private static final int PORT_GID_AT = 16;

    /// Multicast by datagrams works.
    private static final int CAPABILITIES = 1 << 9;

    private record Answer(Peer to, MemorySegment mad) {}

    private final SubnetView view;
    private final SubnetState state;
    private final CommandLog log;
    private final long key;
    private final Tables tables;
    private final Paths paths;
    private final Members members;
    private final Services services;
    private final Subscriptions subscriptions;
    private final Transfers transfers = new Transfers();
    private final Reports reports = new Reports();
    private final ArrayDeque<Answer> answers = new ArrayDeque<>();
    private final Questions questions = new Questions();
    private long nextLeaseNs = Long.MAX_VALUE;

    /// Changes that are not applied yet.
    private int changing;

    /// Answers by a view of a fabric and a state.
    ///
    /// @param log brings commands to the state; an answer waits for its command
    /// @param key the SM_Key of askers that may see the members of groups
    public Administration(SubnetView view, SubnetState state, CommandLog log, long key) {
        this.view = view;
        this.state = state;
        this.log = log;
        this.key = key;
        Keys keys = new Keys(state, view);
        tables = new Tables(view);
        paths = new Paths(view, state, keys);
        members = new Members(view, state, keys);
        services = new Services(view, state, keys);
        subscriptions = new Subscriptions(view, state);
    }

    /// Takes a datagram.
    ///
    /// @param mad 256 bytes, which are not read after the call
    public SaVerdict handle(long nowNs, Peer from, MemorySegment mad) {
        boolean isOne =
                mad.byteSize() == Mad.LENGTH_TOTAL
                        && Mad.check(mad, 0, Mad.LENGTH_TOTAL).isOk()
                        && Mad.managementClass(mad, 0) == ManagementClass.SUBNET_ADMINISTRATION;
        if (!isOne) {
            return SaVerdict.MALFORMED;
        }
        int method = Mad.method(mad, 0);
        int flags = SaHeader.RMPP_FLAGS.readInt(mad, 0);
        int type = SaHeader.RMPP_TYPE.readInt(mad, 0);
        if ((flags & Rmpp.ACTIVE) != 0 && type != Rmpp.DATA) {
            boolean isRight = Rmpp.check(mad, 0, Mad.LENGTH_TOTAL).isOk();
            return isRight && transfers.handle(nowNs, from, mad)
                    ? SaVerdict.OK
                    : SaVerdict.NOT_ASKED;
        }
        if (method == MadMethod.REPORT_RESPONSE) {
            return reports.answered(from, mad) ? SaVerdict.OK : SaVerdict.NOT_ASKED;
        }
        if (MadMethod.isResponse(method)) {
            return SaVerdict.NOT_ASKED;
        }
        if (method == MadMethod.SEND
                || method == MadMethod.TRAP
                || method == MadMethod.REPORT
                || method == MadMethod.TRAP_REPRESS) {
            return SaVerdict.FOREIGN;
        }
        if (transfers.isUnderWay(from, mad)) {
            return SaVerdict.OK;
        }
        if (answers.size() + changing >= ANSWERS_MAX) {
            return SaVerdict.LIMIT;
        }
        return request(nowNs, from, copy(mad));
    }

    private static MemorySegment copy(MemorySegment mad) {
        return MemorySegment.ofArray(new byte[Mad.LENGTH_TOTAL]).copyFrom(mad);
    }

    private SaVerdict request(long nowNs, Peer from, MemorySegment mad) {
        int method = Mad.method(mad, 0);
        int attribute = Mad.attributeId(mad, 0);
        questions.count(attribute, method);
        if (Mad.classVersion(mad, 0) != SaHeader.CLASS_VERSION) {
            return refuse(from, mad, MadStatus.BAD_VERSION);
        }
        boolean isActive = (SaHeader.RMPP_FLAGS.readInt(mad, 0) & Rmpp.ACTIVE) != 0;
        if (isActive) {
            // A request of several datagrams is for MultiPathRecord only.
            return refuse(from, mad, SaStatus.REQUEST_INVALID);
        }
        if (!view.isUp()) {
            return refuse(from, mad, MadStatus.BUSY);
        }
        return switch (method) {
            case MadMethod.GET, MadMethod.GET_TABLE -> ask(nowNs, from, mad, attribute);
            case MadMethod.SET, MadMethod.DELETE -> change(nowNs, from, mad, attribute);
            default -> refuse(from, mad, MadStatus.METHOD_UNSUPPORTED);
        };
    }

    private SaVerdict refuse(Peer from, MemorySegment mad, int status) {
        answer(from, mad, status);
        return SaVerdict.OK;
    }

    /// Makes an answer of a request, in place.
    private static MemorySegment head(MemorySegment mad, int status) {
        int method = Mad.method(mad, 0);
        int answer = method == MadMethod.SET ? MadMethod.GET_RESPONSE : method | RESPONSE;
        BigEndian.put8(mad, METHOD_AT, answer);
        BigEndian.put16(mad, STATUS_AT, status);
        SaHeader.RMPP_VERSION.write(mad, 0, Rmpp.VERSION);
        SaHeader.RMPP_TYPE.write(mad, 0, 0);
        SaHeader.RESP_TIME.write(mad, 0, 0);
        SaHeader.RMPP_FLAGS.write(mad, 0, 0);
        SaHeader.RMPP_STATUS.write(mad, 0, 0);
        SaHeader.SEGMENT_NUMBER.write(mad, 0, 0);
        SaHeader.PAYLOAD_LENGTH.write(mad, 0, 0);
        SaHeader.SM_KEY.write(mad, 0, 0);
        return mad;
    }

    private void answer(Peer to, MemorySegment mad, int status) {
        answers.add(new Answer(to, head(mad, status)));
    }

    private SaVerdict ask(long nowNs, Peer from, MemorySegment mad, int attribute) {
        boolean isTable = Mad.method(mad, 0) == MadMethod.GET_TABLE;
        if (attribute == ClassPortInfo.ATTRIBUTE_ID && !isTable) {
            return classPortInfo(from, mad);
        }
        Optional<RecordLayout> layout = RecordLayout.of(attribute);
        if (layout.isEmpty()) {
            return refuse(from, mad, MadStatus.ATTRIBUTE_UNSUPPORTED);
        }
        Question question = new Question(layout.get(), mad, RECORDS_MAX);
        if (!question.isValid()) {
            return refuse(from, mad, SaStatus.REQUEST_INVALID);
        }
        int status = find(nowNs, question, layout.get(), mad);
        boolean isTooMuch = question.isFull() || (!isTable && question.count() > 1);
        if (status == 0 && isTooMuch) {
            status = SaStatus.TOO_MANY_RECORDS;
        } else if (status == 0 && question.count() == 0 && !isTable) {
            status = SaStatus.NO_RECORDS;
        }
        if (status != 0) {
            return refuse(from, mad, status);
        }
        MemorySegment records = question.records();
        SaHeader.ATTRIBUTE_OFFSET.write(mad, 0, question.recordLength() / 8);
        if (isTable) {
            if (!transfers.hasRoom(records.byteSize())) {
                return refuse(from, mad, MadStatus.BUSY);
            }
            transfers.begin(nowNs, from, head(mad, 0), records);
        } else {
            mad.asSlice(SaHeader.DATA).fill((byte) 0);
            MemorySegment.copy(records, 0, mad, SaHeader.DATA, records.byteSize());
            answer(from, mad, 0);
        }
        return SaVerdict.OK;
    }

    private int find(long nowNs, Question question, RecordLayout layout, MemorySegment mad) {
        boolean isOne = Mad.method(mad, 0) == MadMethod.GET;
        switch (layout.record()) {
            case PATH -> {
                return paths.find(question, isOne);
            }
            case NODE -> tables.nodes(question);
            case PORT_INFO -> tables.ports(question);
            case SWITCH_INFO -> tables.switches(question);
            case LINK -> tables.links(question);
            case SERVICE -> services.find(question, nowNs);
            case MULTICAST_MEMBER -> members.find(question, SaHeader.SM_KEY.read(mad, 0) == key);
            case INFORM_INFO_RECORD -> subscriptions.find(question);
            default -> throw new AssertionError("a layout without a table");
        }
        return 0;
    }

    private SaVerdict classPortInfo(Peer from, MemorySegment mad) {
        mad.asSlice(SaHeader.DATA).fill((byte) 0);
        ClassPortInfo.BASE_VERSION.write(mad, SaHeader.DATA, Mad.BASE_VERSION);
        ClassPortInfo.CLASS_VERSION.write(mad, SaHeader.DATA, SaHeader.CLASS_VERSION);
        ClassPortInfo.CAPABILITY_MASK.write(mad, SaHeader.DATA, CAPABILITIES);
        ClassPortInfo.RESP_TIME_VALUE.write(mad, SaHeader.DATA, Paths.LIFE_TIME);
        SaHeader.ATTRIBUTE_OFFSET.write(mad, 0, ClassPortInfo.LENGTH / 8);
        answer(from, mad, 0);
        return SaVerdict.OK;
    }

    private SaVerdict change(long nowNs, Peer from, MemorySegment mad, int attribute) {
        boolean isSet = Mad.method(mad, 0) == MadMethod.SET;
        int asker = view.vertexAt(from.lid());
        if (attribute == InformInfo.ATTRIBUTE_ID && isSet) {
            MemorySegment info = mad.asSlice(SaHeader.DATA, InformInfo.LENGTH);
            return propose(from, mad, subscriptions.change(info, from), _ -> {});
        }
        Optional<RecordLayout> layout = RecordLayout.of(attribute);
        boolean isGroup = attribute == SaRecord.MULTICAST_MEMBER.attributeId();
        boolean isService = attribute == SaRecord.SERVICE.attributeId();
        if (layout.isEmpty() || !(isGroup || isService)) {
            return refuse(from, mad, MadStatus.ATTRIBUTE_UNSUPPORTED);
        }
        Question question = new Question(layout.get(), mad, 1);
        if (!question.isValid()) {
            return refuse(from, mad, SaStatus.REQUEST_INVALID);
        }
        if (isGroup) {
            Gid port = question.gid(PORT_GID_AT);
            Wish wish = isSet ? members.join(question, asker) : members.leave(question, asker);
            return propose(from, mad, wish, it -> showGroup(question, it, port, mad));
        }
        Wish wish =
                isSet ? services.register(question, asker) : services.unregister(question, asker);
        return propose(from, mad, wish, _ -> lease(nowNs, Service.of(question.template()), isSet));
    }

    private void lease(long nowNs, Service service, boolean begins) {
        services.ended(service.key());
        if (begins) {
            services.began(service, nowNs);
        }
        nextLeaseNs = services.timeoutNs();
    }

    /// Writes the group, and what the port has joined for now, into the answer.
    private void showGroup(Question question, Outcome outcome, Gid port, MemorySegment mad) {
        Optional<Group> group = state.group(outcome.group());
        group.map(it -> it.members().getOrDefault(port, new Group.Membership(0, false)))
                .map(it -> Members.record(question, group.orElseThrow(), port, it))
                .ifPresent(
                        record ->
                                MemorySegment.copy(
                                        record, 0, mad, SaHeader.DATA, record.byteSize()));
    }

    /// Answers a wish: after its command was applied, or at once with the refusal.
    private SaVerdict propose(Peer from, MemorySegment mad, Wish wish, Consumer<Outcome> then) {
        if (wish.command().isEmpty()) {
            return refuse(from, mad, wish.status());
        }
        changing++;
        log.propose(
                wish.command().get(),
                outcome -> {
                    changing--;
                    if (outcome.isDone()) {
                        then.accept(outcome);
                    }
                    answer(from, mad, outcome.status());
                });
        return SaVerdict.OK;
    }

    /// Begins with the services that an earlier manager has left.
    public void begin(long nowNs) {
        services.expired(nowNs);
        nextLeaseNs = services.timeoutNs();
    }

    /// Passes a notice on to subscribers.
    ///
    /// @param notice 64 bytes
    /// @param issuer the port that makes it
    /// @param subject the port or group that it is about
    public void notice(MemorySegment notice, Gid issuer, Gid subject) {
        reports.add(notice, issuer, subject, state.subscriptions());
    }

    /// Does what is due: sends again what was not answered, and ends leases.
    public void handleTimeout(long nowNs) {
        transfers.handleTimeout(nowNs);
        reports.handleTimeout(nowNs);
        if (nextLeaseNs <= nowNs) {
            for (Service.Key ended : services.expired(nowNs)) {
                log.propose(new Command.Unregister(ended), _ -> services.ended(ended));
            }
            nextLeaseNs = services.timeoutNs();
        }
    }

    /// When [#handleTimeout] is to be called next.
    public long timeoutNs() {
        return Math.min(nextLeaseNs, Math.min(transfers.timeoutNs(), reports.timeoutNs()));
    }

    /// Sends one datagram, if there is one.
    public boolean transmit(long nowNs, Outlet outlet) {
        Answer answer = answers.poll();
        if (answer != null) {
            outlet.send(answer.to, answer.mad);
            return true;
        }
        return transfers.transmit(nowNs, outlet) || reports.transmit(nowNs, outlet);
    }

    /// How many questions of each kind have come.
    public Map<Questions.Kind, Long> questions() {
        return questions.all();
    }

    /// Reports that were dropped because too many waited.
    public long droppedReports() {
        return reports.dropped();
    }
}
