package dev.verbena.subnet.state;

import dev.verbena.subnet.state.Outcome.GroupEvent;
import dev.verbena.wire.Gid;
import dev.verbena.wire.mad.SaStatus;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// The state that outlives a change of managers. [#apply] is the only way to change it.
///
/// A command that is refused changes nothing. Each table has a limit, because ports fill them.
public final class SubnetState {
    static final int MEMBERS_MAX = 1 << 16;
    static final int SERVICES_MAX = 1 << 14;
    static final int SUBSCRIPTIONS_MAX = 1 << 12;

    /// One port does not fill the table of all.
    static final int SUBSCRIPTIONS_PER_PORT_MAX = 16;

    static final int SERVICES_PER_PORT_MAX = 256;

    /// IBA 4.1.3.
    private static final int UNICAST_MAX = 0xBFFF;

    /// A node that was out of reach for more terms than that keeps a key that no manager knows.
    static final int TERMS_MAX = 64;

    /// Of group GIDs that the manager chooses: the signature that other managers use too.
    private static final long CHOSEN_HIGH = 0xFF10_A01B_0000_0000L;

    private static final int SCOPE = 48;
    private static final Comparator<Gid> ORDER =
            Comparator.comparing((Gid it) -> it.high(), Long::compareUnsigned)
                    .thenComparing(it -> it.low(), Long::compareUnsigned);

    private final SortedMap<Long, Integer> lids = new TreeMap<>();
    private final NavigableMap<Gid, Group> groups = new TreeMap<>(ORDER);
    private final SortedMap<Integer, Gid> byLid = new TreeMap<>();
    private final Map<Service.Key, Service> services =
            new TreeMap<>(
                    Comparator.comparing(Service.Key::id, Long::compareUnsigned)
                            .thenComparing(Service.Key::port, ORDER)
                            .thenComparingInt(Service.Key::pkey));
    private final Set<Subscription> subscriptions = new LinkedHashSet<>();
    private final ArrayDeque<Term> terms = new ArrayDeque<>();
    private Partitions partitions = Partitions.NONE;
    private int members;

    /// An empty one.
    public SubnetState() {}

    /// A time in which one manager leads.
    ///
    /// @param key the M_Key of all nodes
    public record Term(long number, long key) {}

    public Outcome apply(Command command) {
        return switch (command) {
            case Command.GiveLid it -> give(it);
            case Command.GiveLids it -> give(it);
            case Command.BeginTerm it -> begin(it);
            case Command.Join it -> join(it);
            case Command.Leave it -> leave(it);
            case Command.PutGroup it -> put(it);
            case Command.Register it -> register(it.service());
            case Command.Unregister it ->
                    services.remove(it.key()) == null
                            ? Outcome.refused(SaStatus.NO_RECORDS)
                            : Outcome.DONE;
            case Command.Subscribe it -> subscribe(it.subscription());
            case Command.Unsubscribe it ->
                    subscriptions.remove(it.subscription())
                            ? Outcome.DONE
                            : Outcome.refused(SaStatus.NO_RECORDS);
            case Command.Forget it -> forget(it.guid());
            case Command.SetPartitions it -> partitions(it);
        };
    }

    private Outcome begin(Command.BeginTerm it) {
        boolean isNew = terms.isEmpty() || it.number() > terms.getFirst().number();
        boolean isKeyNew = terms.stream().noneMatch(term -> term.key() == it.key());
        if (it.key() == 0 || !isNew || !isKeyNew) {
            return Outcome.refused(SaStatus.REQUEST_INVALID);
        }
        terms.addFirst(new Term(it.number(), it.key()));
        if (terms.size() > TERMS_MAX) {
            terms.removeLast();
        }
        return Outcome.DONE;
    }

    private Outcome give(Command.GiveLids it) {
        boolean areRight = it.gifts().stream().allMatch(gift -> isLid(gift.lid()));
        if (!areRight) {
            return Outcome.refused(SaStatus.REQUEST_INVALID);
        }
        it.gifts().forEach(this::give);
        return Outcome.DONE;
    }

    private static boolean isLid(int lid) {
        return lid >= 0 && lid <= UNICAST_MAX;
    }

    private Outcome give(Command.GiveLid it) {
        if (!isLid(it.lid())) {
            return Outcome.refused(SaStatus.REQUEST_INVALID);
        }
        if (it.lid() == 0) {
            lids.remove(it.guid());
        } else {
            lids.put(it.guid(), it.lid());
        }
        return Outcome.DONE;
    }

    private Outcome join(Command.Join it) {
        Group group = groups.get(it.group());
        if (group == null && !it.mayCreate()) {
            return Outcome.refused(SaStatus.INSUFFICIENT_COMPONENTS);
        }
        if (group == null && (it.joinState() & Group.FULL) == 0) {
            return Outcome.refused(SaStatus.REQUEST_INVALID);
        }
        boolean isNew = group == null || !group.members().containsKey(it.port());
        if (isNew && members == MEMBERS_MAX) {
            return Outcome.refused(SaStatus.NO_RESOURCES);
        }
        List<GroupEvent> events = new ArrayList<>();
        if (group == null) {
            int lid = freeLid(it.groupsMax());
            if (lid == 0) {
                return Outcome.refused(SaStatus.NO_RESOURCES);
            }
            Gid gid = it.group().isZero() ? chosen(lid, it.traits().scope()) : it.group();
            if (groups.containsKey(gid)) {
                return Outcome.refused(SaStatus.NO_RESOURCES);
            }
            group = create(gid, lid, it.traits(), false);
            events.add(new GroupEvent(true, gid));
        }
        Group.Membership before = group.members().get(it.port());
        int bits = it.joinState() | (before == null ? 0 : before.joinState());
        group.members().put(it.port(), new Group.Membership(bits, it.isProxy()));
        members += isNew ? 1 : 0;
        return new Outcome(0, group.gid(), events, List.of(group.lid()));
    }

    private int freeLid(int groupsMax) {
        int lid = Group.FIRST_LID;
        for (int used : byLid.keySet()) {
            if (used != lid) {
                break;
            }
            lid++;
        }
        return lid < Group.FIRST_LID + Math.min(groupsMax, Group.COUNT_MAX) ? lid : 0;
    }

    private static Gid chosen(int lid, int scope) {
        return new Gid(CHOSEN_HIGH | (long) scope << SCOPE, lid);
    }

    private Group create(Gid gid, int lid, GroupTraits traits, boolean isPermanent) {
        Group group = new Group(gid, lid, traits, isPermanent, new TreeMap<>(ORDER));
        groups.put(gid, group);
        byLid.put(lid, gid);
        return group;
    }

    private Outcome put(Command.PutGroup it) {
        if (groups.containsKey(it.group()) || byLid.containsKey(it.lid())) {
            return Outcome.refused(SaStatus.REQUEST_INVALID);
        }
        create(it.group(), it.lid(), it.traits(), it.isPermanent());
        return Outcome.DONE;
    }

    private Outcome leave(Command.Leave it) {
        Group group = groups.get(it.group());
        Group.Membership before = group == null ? null : group.members().get(it.port());
        if (group == null || before == null || (before.joinState() & it.joinState()) == 0) {
            return Outcome.refused(SaStatus.REQUEST_INVALID);
        }
        int left = before.joinState() & ~it.joinState();
        if (left == 0) {
            group.members().remove(it.port());
            members--;
        } else {
            group.members().put(it.port(), new Group.Membership(left, before.isProxy()));
        }
        List<GroupEvent> events = new ArrayList<>();
        dropIfEmpty(group, events);
        return new Outcome(0, group.gid(), events, List.of(group.lid()));
    }

    /// IBA 10.5.5: a group ends with its last full member.
    private void dropIfEmpty(Group group, List<GroupEvent> events) {
        if (!group.isPermanent() && !group.hasFullMember()) {
            groups.remove(group.gid());
            byLid.remove(group.lid());
            members -= group.members().size();
            events.add(new GroupEvent(false, group.gid()));
        }
    }

    private Outcome register(Service service) {
        Service.Key key = service.key();
        boolean isNew = !services.containsKey(key);
        long ofPort = services.keySet().stream().filter(it -> it.port().equals(key.port())).count();
        if (isNew && (services.size() == SERVICES_MAX || ofPort >= SERVICES_PER_PORT_MAX)) {
            return Outcome.refused(SaStatus.NO_RESOURCES);
        }
        services.put(key, service);
        return Outcome.DONE;
    }

    private Outcome subscribe(Subscription wish) {
        long ofPort =
                subscriptions.stream()
                        .filter(it -> it.subscriber().equals(wish.subscriber()))
                        .count();
        boolean isNew = !subscriptions.contains(wish);
        if (isNew
                && (subscriptions.size() == SUBSCRIPTIONS_MAX
                        || ofPort >= SUBSCRIPTIONS_PER_PORT_MAX)) {
            return Outcome.refused(SaStatus.NO_RESOURCES);
        }
        subscriptions.add(wish);
        return Outcome.DONE;
    }

    private Outcome forget(long guid) {
        services.keySet().removeIf(it -> it.port().low() == guid);
        subscriptions.removeIf(it -> it.subscriber().low() == guid);
        List<GroupEvent> events = new ArrayList<>();
        List<Integer> changed = new ArrayList<>();
        for (Group group : List.copyOf(groups.values())) {
            int before = group.members().size();
            group.members().keySet().removeIf(it -> it.low() == guid);
            if (group.members().size() < before) {
                members -= before - group.members().size();
                changed.add(group.lid());
                dropIfEmpty(group, events);
            }
        }
        return new Outcome(0, Gid.ZERO, events, changed);
    }

    private Outcome partitions(Command.SetPartitions it) {
        Partitions next;
        try {
            next = Partitions.parse(it.text());
        } catch (IllegalArgumentException wrong) {
            return Outcome.refused(SaStatus.REQUEST_INVALID);
        }
        Map<Gid, GroupTraits> wanted = next.broadcastGroups();
        long fresh = wanted.keySet().stream().filter(gid -> !groups.containsKey(gid)).count();
        if (byLid.size() + fresh > Math.min(it.groupsMax(), Group.COUNT_MAX)) {
            return Outcome.refused(SaStatus.NO_RESOURCES);
        }
        partitions = next;
        List<GroupEvent> events = new ArrayList<>();
        List<Integer> changed = new ArrayList<>();
        for (Group group : List.copyOf(groups.values())) {
            GroupTraits traits = wanted.getOrDefault(group.gid(), group.traits());
            boolean isPermanent = wanted.containsKey(group.gid());
            Group now = new Group(group.gid(), group.lid(), traits, isPermanent, group.members());
            groups.put(now.gid(), now);
            dropIfEmpty(now, events);
            changed.add(now.lid());
        }
        wanted.forEach(
                (gid, traits) -> {
                    if (!groups.containsKey(gid)) {
                        Group made = create(gid, freeLid(it.groupsMax()), traits, true);
                        changed.add(made.lid());
                        events.add(new GroupEvent(true, gid));
                    }
                });
        return new Outcome(0, Gid.ZERO, events, changed);
    }

    /// Commands that make an empty state equal to this one.
    public List<Command> commands() {
        List<Command> all = new ArrayList<>();
        terms.descendingIterator()
                .forEachRemaining(it -> all.add(new Command.BeginTerm(it.number(), it.key())));
        lids.forEach((guid, lid) -> all.add(new Command.GiveLid(guid, lid)));
        for (Group group : groups.values()) {
            all.add(
                    new Command.PutGroup(
                            group.gid(), group.lid(), group.traits(), group.isPermanent()));
            group.members()
                    .forEach(
                            (port, it) ->
                                    all.add(
                                            new Command.Join(
                                                    group.gid(),
                                                    port,
                                                    it.joinState(),
                                                    it.isProxy(),
                                                    group.traits(),
                                                    false,
                                                    0)));
        }
        services.values().forEach(it -> all.add(new Command.Register(it)));
        subscriptions.forEach(it -> all.add(new Command.Subscribe(it)));
        if (!partitions.text().isEmpty()) {
            all.add(new Command.SetPartitions(partitions.text(), Group.COUNT_MAX));
        }
        return all;
    }

    /// The newest first; empty where one manager keeps its state for itself.
    public List<Term> terms() {
        return List.copyOf(terms);
    }

    /// Whether a port is a member of groups, offers services or has subscriptions.
    public boolean hasRecords(long guid) {
        return services.keySet().stream().anyMatch(it -> it.port().low() == guid)
                || subscriptions.stream().anyMatch(it -> it.subscriber().low() == guid)
                || groups.values().stream()
                        .anyMatch(
                                it ->
                                        it.members().keySet().stream()
                                                .anyMatch(port -> port.low() == guid));
    }

    /// By GUID.
    public Map<Long, Integer> lids() {
        return Collections.unmodifiableMap(lids);
    }

    public Collection<Group> groups() {
        return Collections.unmodifiableCollection(groups.values());
    }

    public Optional<Group> group(Gid gid) {
        return Optional.ofNullable(groups.get(gid));
    }

    public Optional<Group> group(int lid) {
        return Optional.ofNullable(byLid.get(lid)).map(groups::get);
    }

    public Collection<Service> services() {
        return Collections.unmodifiableCollection(services.values());
    }

    public Collection<Subscription> subscriptions() {
        return Collections.unmodifiableCollection(subscriptions);
    }

    public Partitions partitions() {
        return partitions;
    }
}
