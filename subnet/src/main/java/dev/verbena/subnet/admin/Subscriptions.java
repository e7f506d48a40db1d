package dev.verbena.subnet.admin;

import dev.verbena.subnet.admin.Members.Wish;
import dev.verbena.subnet.state.Command;
import dev.verbena.subnet.state.SubnetState;
import dev.verbena.subnet.state.Subscription;
import dev.verbena.wire.BigEndian;
import dev.verbena.wire.Gid;
import dev.verbena.wire.mad.InformInfo;
import dev.verbena.wire.mad.SaRecord;
import dev.verbena.wire.mad.SaStatus;
import java.lang.foreign.MemorySegment;

/// Wishes for notices: InformInfo, and the records of those in force.
final class Subscriptions {
    private static final int GID_AT = 24;
    private static final int NUMBER_AT = 16;

    private final SubnetView view;
    private final SubnetState state;

    Subscriptions(SubnetView view, SubnetState state) {
        this.view = view;
        this.state = state;
    }

    void find(Question question) {
        int number = 0;
        for (Subscription it : state.subscriptions()) {
            MemorySegment record = question.blank();
            it.subscriber().emit(record, 0);
            BigEndian.put16(record, NUMBER_AT, number++);
            int at = SaRecord.INFORM_INFO_RECORD.attributeAt();
            it.about().emit(record, GID_AT);
            InformInfo.LID_RANGE_BEGIN.write(record, at, it.lidBegin());
            InformInfo.LID_RANGE_END.write(record, at, it.lidEnd());
            InformInfo.IS_GENERIC.write(record, at, it.isGeneric() ? 1 : 0);
            InformInfo.SUBSCRIBE.write(record, at, 1);
            InformInfo.TYPE.write(record, at, it.type());
            InformInfo.TRAP_NUMBER.write(record, at, it.trapNumber());
            InformInfo.QPN.write(record, at, it.queuePair());
            InformInfo.RESP_TIME_VALUE.write(record, at, Paths.LIFE_TIME);
            InformInfo.PRODUCER_TYPE.write(record, at, it.producerType());
            question.add(record);
        }
    }

    /// What a Set of InformInfo asks for.
    ///
    /// @param info the attribute
    Wish change(MemorySegment info, Peer from) {
        int asker = view.vertexAt(from.lid());
        int subscribe = InformInfo.SUBSCRIBE.readInt(info, 0);
        int generic = InformInfo.IS_GENERIC.readInt(info, 0);
        int begin = InformInfo.LID_RANGE_BEGIN.readInt(info, 0);
        int end = InformInfo.LID_RANGE_END.readInt(info, 0);
        boolean isRange = begin == Subscription.ALL || (begin > 0 && begin <= end);
        Gid about = Gid.parse(info, 0);
        if (asker == SubnetView.NONE) {
            return Wish.refused(SaStatus.DENIED);
        }
        if (subscribe > 1 || generic > 1 || (about.isZero() && !isRange)) {
            return Wish.refused(SaStatus.REQUEST_INVALID);
        }
        // Reports go to the queue pair that asked; another one may end the subscription.
        int named = InformInfo.QPN.readInt(info, 0);
        int queuePair = subscribe == 1 || named == 0 ? from.queuePair() : named;
        Subscription subscription =
                new Subscription(
                        new Gid(view.prefix(), view.guid(asker)),
                        from.lid(),
                        queuePair,
                        about,
                        about.isZero() ? begin : 0,
                        about.isZero() ? end : 0,
                        generic == 1,
                        InformInfo.TYPE.readInt(info, 0),
                        InformInfo.TRAP_NUMBER.readInt(info, 0),
                        InformInfo.PRODUCER_TYPE.readInt(info, 0));
        return Wish.of(
                subscribe == 1
                        ? new Command.Subscribe(subscription)
                        : new Command.Unsubscribe(subscription));
    }
}
