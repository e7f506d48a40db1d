package dev.verbena.verbs.spi;

import dev.verbena.verbs.Address;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.LocalSlice;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Reductions that the switches of a network carry out: each member of a group sends its vector
/// once, and each gets the combination of all.
///
/// All members of a group post the same operations in the same order. The network combines the
/// vectors in an order that depends on the group alone, so that loss and delay change no bit.
public interface NetworkReduction {
    /// Makes the device a member of a group.
    ///
    /// A provider answers all members of a group alike, without waiting for the others: either all
    /// are members, or all are refused. It refuses a group with an address that is not one of its
    /// own. A group has its resources until all members have left it.
    ///
    /// @param group a number that all members give, and no other group at the same time
    /// @param member the device's place in the list
    /// @param members the addresses of all, in the same order at each
    Answer join(long group, int member, List<Address> members);

    /// That of a device, if its network offers any.
    static Optional<NetworkReduction> of(Device device) {
        return device instanceof Offering offering ? offering.networkReduction() : Optional.empty();
    }

    /// A device whose network may reduce.
    interface Offering {
        Optional<NetworkReduction> networkReduction();
    }

    /// Either a member, or why there is none.
    ///
    /// @param member null when the group is refused
    /// @param refusal the limit that was reached, or what is not supported; empty for a member
    record Answer(@Nullable Member member, String refusal) {
        public static Answer of(Member member) {
            return new Answer(member, "");
        }

        public static Answer refused(String why) {
            return new Answer(null, why);
        }
    }

    /// A device's place in a group.
    interface Member extends AutoCloseable {
        /// Begins an operation behind those before it; returns its number, from 1 on. A member that
        /// has left the group ends it for operations which it has not begun.
        ///
        /// The memory belongs to the network until the operation is over. Memory without bytes has
        /// a length alone: then only the number of bytes travels.
        ///
        /// @param from the vector of this member; null when `bytes` is 0, which makes a barrier
        /// @param to where the result goes, as long as `from`, perhaps the same; null when this
        ///   member needs no result
        /// @throws dev.verbena.verbs.LimitExceededException when too many operations wait
        /// @throws dev.verbena.verbs.InvalidRequestException when a slice does not fit
        long post(
                long bytes,
                @Nullable LocalSlice from,
                @Nullable LocalSlice to,
                Arithmetic arithmetic);

        /// The number of the last operation that is over at this member.
        long done();

        /// Counts what has arrived: it grows while an operation goes on.
        long progress();

        /// Why no operation of the group will be over any more, or null.
        @Nullable Failure failure();

        /// Ends the operations of all members.
        ///
        /// @param culprit the place of the member that has caused it
        void fail(int culprit, String why);

        /// A member whose part the oldest operation waits for; -1 when there is none, or the
        /// network does not know.
        int awaited();

        /// Why the network does not combine such elements, or nothing; the same at all members.
        String refusal(Arithmetic arithmetic);

        /// Lets the calling thread wait until another operation than before is over, or the group
        /// has failed; returns whether it is so in time.
        boolean await(Duration atMost);

        /// Sets the listener that is called when an operation is over, or the group has failed.
        void onDone(Runnable listener);

        Costs costs();

        /// The group's resources in one line, for people.
        String description();

        @Override
        void close();
    }

    /// Why a group has ended.
    ///
    /// @param culprit the place of the member that has caused it, or -1 when no one knows
    record Failure(int culprit, String reason) {}

    /// What an operation of a group takes, for a choice among algorithms; the same at all members.
    ///
    /// @param latencyNs of an empty vector, from the post to the result
    /// @param bytesPerSecond of a long vector
    record Costs(double latencyNs, double bytesPerSecond) {}

    /// What the network does with elements. Equal ones do the same; a network that has arithmetic
    /// of its own goes by the names.
    interface Arithmetic {
        /// Such as `float32`.
        String type();

        /// Such as `sum`.
        String operation();

        int elementBytes();

        /// Makes `count` elements of `to` the combination of those of `left` and `right`. The
        /// offsets are in bytes; `to` may be one of the operands.
        void combine(
                MemorySegment left,
                long leftAt,
                MemorySegment right,
                long rightAt,
                MemorySegment to,
                long toAt,
                long count);
    }
}
