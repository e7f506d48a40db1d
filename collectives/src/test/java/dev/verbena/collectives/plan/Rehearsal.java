package dev.verbena.collectives.plan;

import dev.verbena.testkit.Choices;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Carries out the plans of all ranks in arrays, as strictly as the contract of [Plan] allows.
///
/// A message begins when both sides are at it and neither waits, and blocks both of its lanes until
/// it ends; its data leaves at the begin or at the end. The acknowledgement follows at any time.
/// Chance decides the order. Memory that a message reads must not change from its begin to the
/// acknowledgement; memory that it writes must not be read or written by others until its end.
final class Rehearsal {
    /// The messages of one lane between two steps of a rank.
    private static final class Message {
        final int from;
        final int to;
        final int lane;
        final Step send = new Step();
        final Step receive = new Step();
        double @Nullable [] data;
        boolean arrived;

        Message(int from, int to, int lane) {
            this.from = from;
            this.to = to;
            this.lane = lane;
        }
    }

    /// Late acknowledgements keep all messages; more ranks would take too long.
    private static final int LATE_SIZE = 6;

    private final List<Plan> plans;
    private final Choices choices;
    private final double[][] inputs;
    private final double[][] outputs;
    private final double[][] scratch;
    private final int[] inPlace;
    private final int[][] sent;
    private final int[][] received;
    private final int[][] acknowledged;
    private final boolean[][] sending;
    private final boolean[][] receiving;
    private final List<Message> messages = new ArrayList<>();
    private final List<Message> moving = new ArrayList<>();
    private final Step mine = new Step();
    private final Step other = new Step();

    /// Acknowledgements come only when nothing else can happen.
    private boolean late;

    long messageCount;
    final long[] elementsSent;

    /// @param inPlace the offset of a rank's input in its output, if these are the same array; the
    ///   negative offset of its output in its input otherwise
    Rehearsal(
            List<Plan> plans,
            double[][] inputs,
            double[][] outputs,
            int[] inPlace,
            Choices choices) {
        this.plans = plans;
        this.inputs = inputs;
        this.outputs = outputs;
        this.inPlace = inPlace;
        this.choices = choices;
        int size = plans.size();
        scratch = new double[size][];
        sent = new int[size][];
        received = new int[size][];
        acknowledged = new int[size][];
        sending = new boolean[size][];
        receiving = new boolean[size][];
        elementsSent = new long[size];
        for (int i = 0; i < size; i++) {
            Plan plan = plans.get(i);
            scratch[i] = new double[(int) plan.scratch()];
            Arrays.fill(scratch[i], Double.NaN);
            sent[i] = new int[plan.lanes()];
            received[i] = new int[plan.lanes()];
            acknowledged[i] = new int[plan.lanes()];
            sending[i] = new boolean[plan.lanes()];
            receiving[i] = new boolean[plan.lanes()];
        }
    }

    void run() {
        for (int rank = 0; rank < plans.size(); rank++) {
            for (int i = 0; i < plans.get(rank).copies(); i++) {
                plans.get(rank).copy(i, mine);
                require(mine.peer == rank, "a copy names another rank");
                double[] data = read(rank, mine.operand, mine.operandOffset, mine.count);
                write(rank, mine.place, mine.offset, data);
            }
        }
        double haste = choices.pick(0.55, 0.66, 0.75);
        late = plans.size() <= LATE_SIZE && choices.chance(0.4);
        int idle = 0;
        while (true) {
            boolean moved = choices.chance(haste) ? proceed() : begin();
            if (!moved) {
                moved = proceed() || begin() || acknowledge();
            }
            idle = moved ? 0 : idle + 1;
            if (idle > 1) {
                break;
            }
        }
        requireAllDone();
    }

    /// Ends or acknowledges a message that is under way.
    private boolean proceed() {
        List<Message> open = late ? moving : messages;
        if (open.isEmpty()) {
            return false;
        }
        Message message = choices.pick(open);
        if (!message.arrived) {
            end(message);
            return true;
        }
        acknowledge(message);
        return true;
    }

    private boolean acknowledge() {
        if (messages.isEmpty()) {
            return false;
        }
        acknowledge(choices.pick(messages));
        return true;
    }

    /// Acknowledgements of a lane come in order, so that the oldest of the lane goes first.
    private void acknowledge(Message message) {
        for (int i = 0; i < messages.size(); i++) {
            Message older = messages.get(i);
            if (older.from == message.from && older.lane == message.lane && older.arrived) {
                messages.remove(i);
                acknowledged[older.from][older.lane]++;
                return;
            }
        }
        throw new AssertionError("unreachable");
    }

    private boolean begin() {
        int size = plans.size();
        int first = choices.between(0, size - 1);
        for (int i = 0; i < size; i++) {
            int rank = (first + i) % size;
            int lanes = plans.get(rank).lanes();
            int firstLane = lanes == 0 ? 0 : choices.between(0, lanes - 1);
            for (int j = 0; j < lanes; j++) {
                if (begin(rank, (firstLane + j) % lanes)) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean begin(int rank, int lane) {
        Plan plan = plans.get(rank);
        if (sending[rank][lane] || sent[rank][lane] == plan.sends(lane)) {
            return false;
        }
        plan.send(lane, sent[rank][lane], mine);
        int peer = mine.peer;
        require(peer >= 0 && peer < plans.size() && peer != rank, "rank " + rank + " to " + peer);
        if (!ready(rank, mine)) {
            return false;
        }
        Plan plan2 = plans.get(peer);
        require(lane < plan2.lanes(), "rank " + peer + " has no lane " + lane);
        if (receiving[peer][lane] || received[peer][lane] == plan2.receives(lane)) {
            return false;
        }
        plan2.receive(lane, received[peer][lane], other);
        if (other.peer != rank || !ready(peer, other)) {
            return false;
        }
        require(
                mine.count == other.count && mine.count > 0,
                "rank %d sends %d, rank %d receives %d"
                        .formatted(rank, mine.count, peer, other.count));
        Message message = new Message(rank, peer, lane);
        plan.send(lane, sent[rank][lane], message.send);
        plan2.receive(lane, received[peer][lane], message.receive);
        requireUntouched(message);
        if (choices.chance(0.5)) {
            message.data = read(rank, mine.place, mine.offset, mine.count);
        }
        sending[rank][lane] = true;
        receiving[peer][lane] = true;
        messages.add(message);
        moving.add(message);
        messageCount++;
        elementsSent[rank] += mine.count;
        return true;
    }

    private void end(Message message) {
        Step from = message.send;
        Step to = message.receive;
        double[] data = message.data;
        if (data == null) {
            data = read(message.from, from.place, from.offset, from.count);
        }
        if (to.combines) {
            double[] operand = read(message.to, to.operand, to.operandOffset, to.count);
            for (int i = 0; i < data.length; i++) {
                data[i] = operand[i] + data[i];
            }
        }
        write(message.to, to.place, to.offset, data);
        message.arrived = true;
        moving.remove(message);
        sending[message.from][message.lane] = false;
        receiving[message.to][message.lane] = false;
        sent[message.from][message.lane]++;
        received[message.to][message.lane]++;
    }

    private boolean ready(int rank, Step step) {
        return received[rank][step.receivesLane] >= step.receives
                && acknowledged[rank][step.sendsLane] >= step.sends;
    }

    private void requireUntouched(Message begun) {
        for (Message old : messages) {
            if (old.to == begun.to) {
                if (!old.arrived) {
                    requireApart(begun.to, begun.receive, old.receive, "two receives write");
                }
            }
            if (old.from == begun.to) {
                requireApart(begun.to, begun.receive, old.send, "a receive overwrites a send");
            }
            if (old.to == begun.from && !old.arrived) {
                requireApart(begun.from, old.receive, begun.send, "a send reads too early");
            }
            if (old.to == begun.to && !old.arrived && begun.receive.combines) {
                Step operand = new Step();
                operand.set(
                        0, begun.receive.count, begun.receive.operand, begun.receive.operandOffset);
                requireApart(begun.to, old.receive, operand, "an operand is read too early");
            }
        }
        requireApart(begun.from, begun.send, begun.to == begun.from ? begun.receive : null, "");
    }

    @SuppressWarnings("ReferenceEquality") // In place, two names are one array.
    private void requireApart(int rank, Step one, @Nullable Step two, String what) {
        if (two == null || array(rank, one.place) != array(rank, two.place)) {
            return;
        }
        long a = at(rank, one.place, one.offset);
        long b = at(rank, two.place, two.offset);
        require(
                a + one.count <= b || b + two.count <= a,
                "%s at rank %d: %s %d + %d and %s %d + %d"
                        .formatted(
                                what,
                                rank,
                                one.place,
                                one.offset,
                                one.count,
                                two.place,
                                two.offset,
                                two.count));
    }

    private double[] read(int rank, Place place, long offset, long count) {
        int start = at(rank, place, offset);
        require(
                offset >= 0 && count > 0 && start + count <= array(rank, place).length,
                "rank %d reads %s %d + %d".formatted(rank, place, offset, count));
        return Arrays.copyOfRange(array(rank, place), start, (int) (start + count));
    }

    private void write(int rank, Place place, long offset, double[] data) {
        require(place != Place.INPUT, "rank " + rank + " writes its input");
        int start = at(rank, place, offset);
        require(
                offset >= 0 && start + data.length <= array(rank, place).length,
                "rank %d writes %s %d + %d".formatted(rank, place, offset, data.length));
        System.arraycopy(data, 0, array(rank, place), start, data.length);
    }

    private double[] array(int rank, Place place) {
        return switch (place) {
            case INPUT -> inputs[rank];
            case OUTPUT -> outputs[rank];
            case SCRATCH -> scratch[rank];
        };
    }

    private int at(int rank, Place place, long offset) {
        long shift =
                switch (place) {
                    case INPUT -> Math.max(0, inPlace[rank]);
                    case OUTPUT -> Math.max(0, -inPlace[rank]);
                    case SCRATCH -> 0;
                };
        return (int) (offset + shift);
    }

    private void requireAllDone() {
        for (int rank = 0; rank < plans.size(); rank++) {
            Plan plan = plans.get(rank);
            for (int lane = 0; lane < plan.lanes(); lane++) {
                require(
                        sent[rank][lane] == plan.sends(lane)
                                && received[rank][lane] == plan.receives(lane),
                        "rank %d stands in lane %d at send %d of %d, receive %d of %d"
                                .formatted(
                                        rank,
                                        lane,
                                        sent[rank][lane],
                                        plan.sends(lane),
                                        received[rank][lane],
                                        plan.receives(lane)));
            }
        }
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new AssertionError(message);
        }
    }
}
