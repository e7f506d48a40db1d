package dev.verbena.collectives;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.verbena.collectives.memory.RankMemory;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// A communicator that is being split: the ranks tell each other their colours first.
public final class Split {
    private static final long ENTRY = 8;
    private static final int NO_COLOR = -1;

    private record Place(int rank, int key) {}

    private final Communicator parent;
    private final long number;
    private final int color;
    private final RankMemory table;
    private final Work work;
    private boolean isTaken;

    Split(Communicator parent, long number, int color, int key) {
        this.parent = parent;
        this.number = number;
        this.color = color;
        table = parent.allocate(ENTRY * parent.size());
        MemorySegment entries = table.segment();
        long own = ENTRY * parent.rank();
        entries.set(JAVA_INT, own, color);
        entries.set(JAVA_INT, own + 4, key);
        work = parent.allGather(table.span(own, ENTRY), table.span());
    }

    /// The exchange of colours, for programs that call [Communicator#progress] themselves.
    public Work work() {
        return work;
    }

    /// Waits for all ranks; returns the communicator of this rank's colour, or nothing where the
    /// colour is negative.
    public Optional<Communicator> await() throws RankFailedException {
        work.await();
        return communicator();
    }

    /// The communicator of this rank's colour, when the exchange is over.
    ///
    /// @throws IllegalStateException when it is not, or when this was called before
    public Optional<Communicator> communicator() {
        if (!work.isDone() || isTaken) {
            throw new IllegalStateException(
                    parent
                            + (isTaken
                                    ? ": its part was taken before"
                                    : ": not all ranks have named their colours yet"));
        }
        isTaken = true;
        List<Place> places = new ArrayList<>();
        MemorySegment entries = table.segment();
        for (int rank = 0; rank < parent.size(); rank++) {
            if (entries.get(JAVA_INT, ENTRY * rank) == color) {
                places.add(new Place(rank, entries.get(JAVA_INT, ENTRY * rank + 4)));
            }
        }
        table.close();
        if (color <= NO_COLOR) {
            return Optional.empty();
        }
        places.sort(Comparator.comparingInt(Place::key).thenComparingInt(Place::rank));
        return Optional.of(parent.part(number, color, places.stream().map(Place::rank).toList()));
    }
}
