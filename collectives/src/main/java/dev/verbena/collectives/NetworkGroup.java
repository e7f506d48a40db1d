package dev.verbena.collectives;

import dev.verbena.collectives.link.Failure;
import dev.verbena.collectives.link.Member;
import dev.verbena.collectives.plan.Collective;
import dev.verbena.collectives.plan.NetworkCosts;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.spi.NetworkReduction;
import dev.verbena.verbs.spi.NetworkReduction.Answer;
import dev.verbena.verbs.spi.NetworkReduction.Arithmetic;
import dev.verbena.verbs.spi.NetworkReduction.Costs;
import java.lang.System.Logger.Level;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The ranks of a communicator as a group for which the switches of a network reduce, where they
/// offer it. It is joined when an operation asks for it, because switches have few groups.
final class NetworkGroup {
    private static final System.Logger LOG = System.getLogger(NetworkGroup.class.getName());

    private final Communicator owner;
    private final long number;
    private final List<Member> ranks;
    private final Optional<NetworkReduction> offer;
    private final Set<String> said = new HashSet<>();
    private final List<String> notes = new ArrayList<>();
    private Runnable listener = () -> {};
    private NetworkReduction.@Nullable Member member;
    private String refusal = "";
    private boolean hasAsked;

    NetworkGroup(Communicator owner, long number, List<Member> ranks, Device device) {
        this.owner = owner;
        this.ranks = ranks;
        this.number = number;
        offer = NetworkReduction.of(device);
    }

    /// Sets the listener that is called when an operation is over, or the group has failed.
    void onDone(Runnable called) {
        listener = called;
        if (member != null) {
            member.onDone(called);
        }
    }

    /// What the network offers for all ranks.
    NetworkOffer offer() {
        NetworkReduction.Member joined = member();
        return joined == null
                ? new NetworkOffer(null, refusal)
                : new NetworkOffer(costs(joined), joined.description());
    }

    private static NetworkCosts costs(NetworkReduction.Member joined) {
        Costs costs = joined.costs();
        return new NetworkCosts(costs.latencyNs(), costs.bytesPerSecond());
    }

    /// What is offered for one operation.
    ///
    /// @param arithmetic null where nothing is combined
    NetworkCosts.Source source(Collective operation, @Nullable Arithmetic arithmetic) {
        if (owner.size() == 1 || !NetworkCosts.supports(operation)) {
            return NetworkCosts.Source.NONE;
        }
        return new NetworkCosts.Source() {
            @Override
            public @Nullable NetworkCosts costs() {
                return answer(operation, arithmetic, offer.isPresent());
            }

            @Override
            public @Nullable NetworkCosts demanded() {
                return answer(operation, arithmetic, true);
            }
        };
    }

    private @Nullable NetworkCosts answer(
            Collective operation, @Nullable Arithmetic arithmetic, boolean isSaid) {
        NetworkReduction.Member joined = member();
        String why = refusal;
        if (joined != null) {
            why = arithmetic == null ? "" : joined.refusal(arithmetic);
        }
        if (isSaid && !why.isEmpty()) {
            say(operation, why);
        }
        return joined == null || !why.isEmpty() ? null : costs(joined);
    }

    /// Each reason once; in the log once for all ranks, which have the same answer.
    private void say(Collective operation, String why) {
        if (said.add(why)) {
            String note = "%s is not carried out in the network: %s".formatted(operation, why);
            notes.add(note);
            if (owner.rank() == 0) {
                LOG.log(Level.INFO, "{0}: {1}; another algorithm does it", owner, note);
            }
        }
    }

    List<String> notes() {
        return List.copyOf(notes);
    }

    /// The rank's place in the group, or null; the first call joins it.
    NetworkReduction.@Nullable Member member() {
        if (!hasAsked) {
            hasAsked = true;
            join();
        }
        return member;
    }

    /// The same, if it was joined.
    NetworkReduction.@Nullable Member joined() {
        return member;
    }

    private void join() {
        if (offer.isEmpty()) {
            refusal = "the device offers no reductions in its network";
            return;
        }
        Answer answer = offer.get().join(groupNumber(), owner.rank(), new Addresses(ranks));
        member = answer.member();
        refusal = answer.refusal();
        if (member != null) {
            member.onDone(listener);
        }
    }

    /// Communicators of other programs may have the same number, but not the same ports.
    private long groupNumber() {
        long mixed = number;
        for (Member rank : ranks) {
            Address address = rank.addresses().getFirst();
            mixed = Communicator.mix(mixed, address.gid().low() ^ address.gid().high());
            mixed = Communicator.mix(mixed, (long) address.lid() << 16 | rank.port());
        }
        return mixed;
    }

    private static final class Addresses extends AbstractList<Address> {
        private final List<Member> ranks;

        Addresses(List<Member> ranks) {
            this.ranks = ranks;
        }

        @Override
        public Address get(int rank) {
            return ranks.get(rank).addresses().getFirst();
        }

        @Override
        public int size() {
            return ranks.size();
        }
    }

    /// Why it has failed, or null.
    @Nullable Failure failure() {
        NetworkReduction.Failure known = member == null ? null : member.failure();
        if (known == null) {
            return null;
        }
        int culprit = known.culprit() < 0 ? owner.rank() : known.culprit();
        return new Failure(culprit, known.reason());
    }

    /// Tells all ranks: there may be no links to them. Others may be in the group before this one.
    void fail(Failure failure) {
        NetworkReduction.Member joined = offer.isPresent() && owner.size() > 1 ? member() : member;
        if (joined != null) {
            joined.fail(failure.rank(), failure.reason());
        }
    }

    void close() {
        if (member != null) {
            member.close();
        }
    }
}
