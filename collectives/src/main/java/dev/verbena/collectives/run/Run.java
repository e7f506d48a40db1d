package dev.verbena.collectives.run;

import dev.verbena.collectives.element.Combiner;
import dev.verbena.collectives.link.Links;
import dev.verbena.collectives.link.RankDevice;
import dev.verbena.collectives.memory.RankMemory;
import dev.verbena.collectives.memory.Span;
import dev.verbena.collectives.plan.Place;
import dev.verbena.collectives.plan.Plan;
import dev.verbena.collectives.plan.Step;
import dev.verbena.collectives.trace.StepTrace;
import dev.verbena.verbs.MemoryRegion;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Carries out one plan after the other. Its memory and its lanes stay from plan to plan, so that a
/// step makes no objects.
public final class Run implements Running {
    private final Links links;
    private final LocalWork work;
    private final List<Lane> lanes = new ArrayList<>();
    private final Step step = new Step();
    private @Nullable Span input;
    private @Nullable Span output;
    private @Nullable RankMemory scratch;
    private @Nullable RankMemory landing;
    private @Nullable Combiner combiner;
    private @Nullable StepTrace trace;
    private int elementBytes = 1;
    private int used;
    private long sendFreeNs;
    private long receiveFreeNs;

    public Run(Links links, LocalWork work) {
        this.links = links;
        this.work = work;
        links.acks(this::acknowledged);
    }

    /// Keeps the steps of the plans that begin from now on, or of none where it is null.
    public void traceTo(@Nullable StepTrace wanted) {
        trace = wanted;
    }

    /// Begins a plan; the one before is over.
    ///
    /// @param combiner null where the plan combines nothing
    /// @param longest elements of the longest message
    public void begin(
            Plan next,
            Span from,
            Span to,
            int bytesOfElement,
            @Nullable Combiner combiner,
            long longest) {
        input = from;
        output = to;
        this.combiner = combiner;
        elementBytes = bytesOfElement;
        scratch = grown(scratch, next.scratch() * elementBytes);
        used = next.lanes();
        while (lanes.size() < used) {
            lanes.add(new Lane(this, links, lanes.size()));
        }
        long slot = combiner == null || longest * elementBytes <= shortBytes() ? 0 : longest;
        long slotBytes = slot * elementBytes + 63 & -64;
        landing = grown(landing, slotBytes * used * grants());
        for (int i = 0; i < used; i++) {
            lanes.get(i).begin(next, slotBytes, trace);
        }
        for (int i = 0; i < next.copies(); i++) {
            next.copy(i, step);
            copy(step);
        }
    }

    private int shortBytes() {
        return links.settings().shortBytes();
    }

    int grants() {
        return links.settings().grants();
    }

    private @Nullable RankMemory grown(@Nullable RankMemory memory, long bytes) {
        if (bytes == 0 || (memory != null && memory.length() >= bytes)) {
            return memory;
        }
        if (memory != null) {
            memory.close();
        }
        return allocate(links.devices(), bytes);
    }

    /// Memory that all devices of a rank may use.
    public static RankMemory allocate(List<RankDevice> devices, long bytes) {
        List<MemoryRegion> regions = new ArrayList<>();
        regions.add(devices.getFirst().allocate(bytes));
        for (RankDevice device : devices.subList(1, devices.size())) {
            regions.add(device.register(regions.getFirst()));
        }
        return new RankMemory(regions);
    }

    /// Call it again after each [Links#poll], and at [#nextNs].
    @Override
    public boolean advance(long nowNs) {
        boolean any = true;
        boolean isDone = false;
        while (any && !isDone) {
            any = false;
            isDone = true;
            for (int i = 0; i < used; i++) {
                Lane lane = lanes.get(i);
                any |= lane.advance(nowNs);
                isDone &= lane.isDone();
            }
        }
        return isDone;
    }

    @Override
    public long nextNs() {
        long next = Long.MAX_VALUE;
        for (int i = 0; i < used; i++) {
            next = Math.min(next, lanes.get(i).nextNs());
        }
        return next;
    }

    @Override
    public int awaited() {
        for (int i = 0; i < used; i++) {
            int peer = lanes.get(i).awaited();
            if (peer >= 0) {
                return peer;
            }
        }
        return -1;
    }

    private void acknowledged(int lane, int send) {
        lanes.get(lane).acknowledged(send);
    }

    Lane lane(int index) {
        return lanes.get(index);
    }

    int elementBytes() {
        return elementBytes;
    }

    boolean isInstant() {
        return work.isInstant();
    }

    /// When a message that is ready now has been prepared.
    long sendReadyNs(long nowNs, long bytes, int peer) {
        return preparedNs(nowNs, bytes, links.network(peer));
    }

    long preparedNs(long nowNs, long bytes, int network) {
        long takes = work.sendNs(bytes);
        long readyNs = nowNs;
        if (takes > 0) {
            sendFreeNs = Math.max(sendFreeNs, nowNs) + takes;
            readyNs = sendFreeNs;
        }
        return work.copiedOutNs(readyNs, bytes, network);
    }

    /// When a message that has arrived now has been dealt with.
    long receiveReadyNs(long nowNs, long bytes, boolean combines, int peer) {
        return takenNs(nowNs, bytes, combines, links.network(peer));
    }

    long takenNs(long nowNs, long bytes, boolean combines, int network) {
        long hereNs = work.copiedInNs(nowNs, bytes, network);
        long takes = work.receiveNs(bytes, combines);
        if (takes == 0) {
            return hereNs;
        }
        receiveFreeNs = Math.max(receiveFreeNs, hereNs) + takes;
        return receiveFreeNs;
    }

    RankMemory memory(Place place) {
        return switch (place) {
            case INPUT -> Objects.requireNonNull(input).memory();
            case OUTPUT -> Objects.requireNonNull(output).memory();
            case SCRATCH -> Objects.requireNonNull(scratch, "the plan has asked for no scratch");
        };
    }

    /// The byte of [#memory] at which an element is.
    long at(Place place, long element) {
        long base =
                switch (place) {
                    case INPUT -> Objects.requireNonNull(input).offset();
                    case OUTPUT -> Objects.requireNonNull(output).offset();
                    case SCRATCH -> 0;
                };
        return base + element * elementBytes;
    }

    RankMemory landing() {
        return Objects.requireNonNull(landing, "there is landing memory for long messages");
    }

    private void copy(Step copy) {
        MemorySegment from = memory(copy.operand).bytes();
        MemorySegment to = memory(copy.place).bytes();
        if (from != null && to != null) {
            long fromAt = at(copy.operand, copy.operandOffset);
            long toAt = at(copy.place, copy.offset);
            MemorySegment.copy(from, fromAt, to, toAt, copy.count * elementBytes);
        }
    }

    /// Takes a message from where it has landed.
    void take(Step receive, @Nullable MemorySegment landed, long landedAt) {
        MemorySegment to = memory(receive.place).bytes();
        if (to == null || landed == null) {
            return;
        }
        long toAt = at(receive.place, receive.offset);
        if (!receive.combines) {
            MemorySegment.copy(landed, landedAt, to, toAt, receive.count * elementBytes);
            return;
        }
        MemorySegment operand = memory(receive.operand).bytes();
        if (operand != null) {
            Objects.requireNonNull(combiner, "the plan combines")
                    .combine(
                            operand,
                            at(receive.operand, receive.operandOffset),
                            landed,
                            landedAt,
                            to,
                            toAt,
                            receive.count);
        }
    }

    /// Gives its memory back.
    public void close() {
        if (scratch != null) {
            scratch.close();
        }
        if (landing != null) {
            landing.close();
        }
    }
}
