package dev.verbena.subnet.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.testkit.Seed;
import dev.verbena.wire.Gid;
import dev.verbena.wire.mad.SaStatus;
import dev.verbena.wire.mad.ServiceRecord;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// What a manager remembers changes by commands only, and the same commands give the same state.
class SubnetStateTest {
    private static final GroupTraits TRAITS = new GroupTraits(7, 4, 0, 0xFFFF, 3, 18, 0, 0, 0, 2);
    private static final int GROUPS_MAX = 4;

    private final SubnetState state = new SubnetState();

    private static Gid group(int number) {
        return new Gid(0xFF12_401B_FFFF_0000L, number);
    }

    private static Gid port(int number) {
        return new Gid(0xFE80_0000_0000_0000L, number);
    }

    private Outcome join(int group, int port, int bits) {
        return state.apply(
                new Command.Join(group(group), port(port), bits, false, TRAITS, true, GROUPS_MAX));
    }

    private Outcome leave(int group, int port, int bits) {
        return state.apply(new Command.Leave(group(group), port(port), bits));
    }

    @Test
    void aGroupBeginsWithItsFirstFullMemberAndEndsWithItsLast() {
        assertThat(join(1, 1, Group.SEND_ONLY).status()).isEqualTo(SaStatus.REQUEST_INVALID);
        assertThat(join(1, 1, Group.FULL).events())
                .containsExactly(new Outcome.GroupEvent(true, group(1)));
        assertThat(join(1, 2, Group.FULL).events()).isEmpty();
        assertThat(join(1, 3, Group.NON_MEMBER).isDone()).isTrue();
        assertThat(leave(1, 1, Group.FULL).events()).isEmpty();
        assertThat(leave(1, 2, Group.FULL).events())
                .containsExactly(new Outcome.GroupEvent(false, group(1)));
        assertThat(state.groups()).isEmpty();
    }

    @Test
    void joinStatesAddUpAndAreTakenBackOneByOne() {
        join(1, 1, Group.FULL);
        join(1, 1, Group.SEND_ONLY);
        assertThat(state.group(group(1)).orElseThrow().members())
                .containsEntry(port(1), new Group.Membership(Group.FULL | Group.SEND_ONLY, false));
        join(1, 2, Group.FULL);
        assertThat(leave(1, 1, Group.NON_MEMBER).status()).isEqualTo(SaStatus.REQUEST_INVALID);
        assertThat(leave(1, 1, Group.FULL).isDone()).isTrue();
        assertThat(state.group(group(1)).orElseThrow().members())
                .containsEntry(port(1), new Group.Membership(Group.SEND_ONLY, false));
    }

    @Test
    void aGroupGetsTheLowestFreeLidAndThereAreNoMoreThanSwitchesHold() {
        for (int i = 0; i < GROUPS_MAX; i++) {
            join(i, 1, Group.FULL);
            assertThat(state.group(group(i)).orElseThrow().lid()).isEqualTo(0xC000 + i);
        }
        assertThat(join(9, 1, Group.FULL).status()).isEqualTo(SaStatus.NO_RESOURCES);
        leave(1, 1, Group.FULL);
        assertThat(join(9, 1, Group.FULL).groupLids()).containsExactly(0xC001);
    }

    @Test
    void aPortThatIsGoneLeavesNothingBehind() {
        join(1, 1, Group.FULL);
        join(2, 1, Group.FULL);
        join(2, 2, Group.FULL);
        state.apply(new Command.Subscribe(wish(1, 4)));
        state.apply(new Command.Register(service(1, 5)));
        Outcome outcome = state.apply(new Command.Forget(1));
        assertThat(outcome.events()).containsExactly(new Outcome.GroupEvent(false, group(1)));
        assertThat(outcome.groupLids()).containsExactly(0xC000, 0xC001);
        assertThat(state.group(group(2)).orElseThrow().members()).containsOnlyKeys(port(2));
        assertThat(state.subscriptions()).isEmpty();
        assertThat(state.services()).isEmpty();
    }

    private static Subscription wish(int port, int queuePair) {
        return new Subscription(
                port(port), port, queuePair, Gid.ZERO, 0xFFFF, 0, true, 0xFFFF, 64, 0xFF_FFFF);
    }

    private static Service service(int port, int id) {
        MemorySegment record = MemorySegment.ofArray(new byte[ServiceRecord.LENGTH]);
        ServiceRecord.SERVICE_ID.write(record, 0, id);
        port(port).emit(record, 8);
        record.asSlice(60).fill((byte) 0xE4);
        return Service.of(record);
    }

    @Test
    void onePortDoesNotFillTheTables() {
        for (int i = 0; i < SubnetState.SUBSCRIPTIONS_PER_PORT_MAX; i++) {
            assertThat(state.apply(new Command.Subscribe(wish(1, i))).isDone()).isTrue();
        }
        assertThat(state.apply(new Command.Subscribe(wish(1, 99))).status())
                .isEqualTo(SaStatus.NO_RESOURCES);
        assertThat(state.apply(new Command.Subscribe(wish(1, 3))).isDone()).isTrue();
        for (int i = 0; i < SubnetState.SERVICES_PER_PORT_MAX; i++) {
            assertThat(state.apply(new Command.Register(service(1, i))).isDone()).isTrue();
        }
        assertThat(state.apply(new Command.Register(service(1, 999))).status())
                .isEqualTo(SaStatus.NO_RESOURCES);
        assertThat(state.apply(new Command.Register(service(2, 999))).isDone()).isTrue();
    }

    @Test
    void aCopyByCommandsIsEqualAfterAnyCommands() {
        Seed chosen = Seed.forTest("commands", 0x5A);
        for (long seed = chosen.value(); seed < chosen.value() + Seed.campaign(20); seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            SubnetState one = new SubnetState();
            SubnetState other = new SubnetState();
            for (int i = 0; i < 300; i++) {
                Command command = any(random);
                Outcome outcome = one.apply(command);
                assertThat(other.apply(CommandBytes.read(CommandBytes.write(command))))
                        .as("seed %d, %s", seed, command)
                        .isEqualTo(outcome);
            }
            SubnetState copy = new SubnetState();
            one.commands().forEach(it -> assertThat(copy.apply(it).isDone()).isTrue());
            assertThat(copy.commands()).as("seed %d", seed).isEqualTo(one.commands());
            assertThat(other.commands()).isEqualTo(one.commands());
            assertThat(copy.partitions()).isEqualTo(one.partitions());
        }
    }

    private static Command any(SplittableRandom random) {
        int port = random.nextInt(1, 9);
        return switch (random.nextInt(10)) {
            case 0 -> new Command.GiveLid(port, random.nextInt(4));
            case 9 ->
                    random.nextBoolean()
                            ? new Command.BeginTerm(random.nextInt(9), random.nextInt(9))
                            : new Command.GiveLids(
                                    List.of(
                                            new Command.GiveLid(port, random.nextInt(4)),
                                            new Command.GiveLid(port + 1, 9)));
            case 1, 2 ->
                    new Command.Join(
                            random.nextInt(9) == 0 ? Gid.ZERO : group(random.nextInt(9)),
                            port(port),
                            random.nextInt(1, 16),
                            random.nextBoolean(),
                            TRAITS,
                            random.nextBoolean(),
                            6);
            case 3 -> new Command.Leave(group(random.nextInt(9)), port(port), random.nextInt(16));
            case 4 -> new Command.Register(service(port, random.nextInt(4)));
            case 5 -> new Command.Unregister(service(port, random.nextInt(4)).key());
            case 6 ->
                    random.nextBoolean()
                            ? new Command.Subscribe(wish(port, random.nextInt(4)))
                            : new Command.Unsubscribe(wish(port, random.nextInt(4)));
            case 7 ->
                    new Command.SetPartitions(
                            "Default=0x7fff, ipoib : ALL;"
                                    + (random.nextBoolean() ? "other=2, ipoib:ALL=full;" : ""),
                            6);
            default ->
                    random.nextInt(5) == 0 ? new Command.Forget(port) : new Command.GiveLid(1, 1);
        };
    }

    @Test
    void bytesThatAreNoCommandAreRefused() {
        byte[] bytes = CommandBytes.write(new Command.Register(service(1, 1)));
        for (int length : List.of(0, 1, 4, bytes.length - 1)) {
            byte[] part = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> CommandBytes.read(part))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> CommandBytes.read(Arrays.copyOf(bytes, bytes.length + 1)))
                .hasMessageContaining("behind");
        assertThatThrownBy(() -> CommandBytes.read(new byte[] {99})).hasMessageContaining("kind");
    }

    @Test
    void aTermIsNewerThanTheOthersAndHasAKeyOfItsOwn() {
        assertThat(state.apply(new Command.BeginTerm(3, 33)).isDone()).isTrue();
        assertThat(state.apply(new Command.BeginTerm(3, 34)).isDone()).isFalse();
        assertThat(state.apply(new Command.BeginTerm(2, 35)).isDone()).isFalse();
        assertThat(state.apply(new Command.BeginTerm(4, 33)).isDone()).isFalse();
        assertThat(state.apply(new Command.BeginTerm(4, 0)).isDone()).isFalse();
        assertThat(state.apply(new Command.BeginTerm(5, 55)).isDone()).isTrue();
        assertThat(state.terms())
                .containsExactly(new SubnetState.Term(5, 55), new SubnetState.Term(3, 33));
    }

    @Test
    void theLastTermsAreRemembered() {
        for (int i = 1; i <= SubnetState.TERMS_MAX + 5; i++) {
            state.apply(new Command.BeginTerm(i, 100 + i));
        }
        assertThat(state.terms()).hasSize(SubnetState.TERMS_MAX);
        assertThat(state.terms().getFirst().number()).isEqualTo(SubnetState.TERMS_MAX + 5);
    }

    @Test
    void lidsThatNoNodeCanHaveAreRefused() {
        List<Command.GiveLid> gifts =
                List.of(new Command.GiveLid(1, 5), new Command.GiveLid(2, 0xC000));
        assertThat(state.apply(new Command.GiveLids(gifts)).isDone()).isFalse();
        assertThat(state.apply(new Command.GiveLid(3, -1)).isDone()).isFalse();
        assertThat(state.lids()).isEmpty();
        assertThat(state.apply(new Command.GiveLids(gifts.subList(0, 1))).isDone()).isTrue();
        assertThat(state.lids()).containsEntry(1L, 5);
    }
}
