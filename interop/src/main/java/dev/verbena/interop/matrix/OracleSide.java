package dev.verbena.interop.matrix;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.CompletedOperation;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.Endpoint;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.RemoteSlice;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// The other implementation: a program over libibverbs, `interop/rxe/oracle.c`, told by TCP.
final class OracleSide implements Side {
    private static final int SIGNALED = 2;

    // Flags of a completion in verbs.h, and the kernel's own for the last, which rxe hands out.
    private static final int WITH_HEADER = 1;
    private static final int WITH_IMMEDIATE = 2;
    private static final int WITH_INVALIDATE = 8;
    private static final int KERNEL_WITH_INVALIDATE = 4;

    private final String name;
    private final LineClient oracle;
    private final String address;
    private final EnumSet<Difference> differences = EnumSet.noneOf(Difference.class);
    private Setup setup = Setup.ORDINARY;
    private final List<Endpoint> endpoints = new ArrayList<>();
    private int used;
    private RemoteSlice memory = new RemoteSlice(0, 0, 0);

    /// @param address of the oracle's device, which also chooses its GID
    OracleSide(String name, LineClient oracle, String address) {
        this.name = name;
        this.oracle = oracle;
        this.address = address;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void open(Setup wanted) {
        setup = wanted;
        differences.clear();
        List<String> words =
                oracle.ask(
                        "open %s %d %d %d %d %d %d %d"
                                .formatted(
                                        address,
                                        setup.psn(),
                                        Setup.MEMORY_BYTES,
                                        Access.bits(setup.rights()),
                                        setup.type().code(),
                                        setup.pairs(),
                                        setup.shared() ? 1 : 0,
                                        setup.queueKey()));
        ByteBuffer bytes = ByteBuffer.wrap(HexFormat.of().parseHex(words.get(0)));
        Gid gid = new Gid(bytes.getLong(), bytes.getLong());
        int mtu = number(words.get(1));
        memory = new RemoteSlice(wide(words.get(2)), Setup.MEMORY_BYTES, number(words.get(3)));
        used = 0;
        endpoints.clear();
        for (String pair : words.subList(4, words.size())) {
            endpoints.add(
                    new Endpoint(
                            setup.type(),
                            0,
                            gid,
                            number(pair),
                            setup.psn(),
                            mtu,
                            Setup.READS,
                            Address.ROCE_PORT,
                            Endpoint.DEFAULT_PARTITION_KEY,
                            setup.queueKey()));
        }
    }

    @Override
    public void use(int pair) {
        oracle.ask("use %d".formatted(pair));
        used = pair;
    }

    @Override
    public Endpoint endpoint() {
        return endpoints.get(used);
    }

    @Override
    public RemoteSlice memory() {
        return memory;
    }

    @Override
    public void connect(Endpoint peer, int mtu) {
        byte[] gid =
                ByteBuffer.allocate(Gid.LENGTH)
                        .putLong(peer.gid().high())
                        .putLong(peer.gid().low())
                        .array();
        oracle.ask(
                "connect %d %d %s %d %d %d %d %d %d"
                        .formatted(
                                peer.queuePair(),
                                peer.psn(),
                                HexFormat.of().formatHex(gid),
                                mtu,
                                Setup.TIMEOUT,
                                setup.retries(),
                                setup.rnrRetries(),
                                Setup.RNR_TIMER,
                                Setup.READS));
    }

    @Override
    public void fill(long offset, long length, long seed) {
        oracle.ask("fill %d %d %s".formatted(offset, length, Long.toUnsignedString(seed)));
    }

    @Override
    public int checksum(long offset, long length) {
        return number(oracle.ask("sum %d %d".formatted(offset, length)).getFirst());
    }

    @Override
    public long word(long offset) {
        return wide(oracle.ask("word %d".formatted(offset)).getFirst());
    }

    @Override
    public void word(long offset, long value) {
        oracle.ask("word %d %s".formatted(offset, Long.toUnsignedString(value)));
    }

    @Override
    public byte[] bytes(long offset, int length) {
        String text = oracle.ask("bytes %d %d".formatted(offset, length)).getFirst();
        return HexFormat.of().parseHex(text);
    }

    @Override
    public void receive(long id, long offset, long length) {
        oracle.ask("receive %d %d %d".formatted(id, offset, length));
    }

    @Override
    public void post(List<Request> chain) {
        List<String> lines = new ArrayList<>();
        for (Request it : chain) {
            if (it.isMisalignedAtomic()) {
                differences.add(Difference.ODD_ATOMIC_REFUSED);
            }
            lines.add(
                    "post %d %d %d %d %d 0x%x 0x%x 0x%x 0x%x"
                            .formatted(
                                    it.id(),
                                    it.operation().code(),
                                    it.signaled() ? SIGNALED : 0,
                                    it.offset(),
                                    it.length(),
                                    it.address(),
                                    it.key(),
                                    it.first(),
                                    it.second()));
        }
        lines.add("go");
        oracle.ask(lines);
    }

    @Override
    public int bind(long offset, long length, Set<Access> rights) {
        return number(
                oracle.ask("bind %d %d %d".formatted(offset, length, Access.bits(rights)))
                        .getFirst());
    }

    @Override
    public Optional<CompletionRecord> sent(Duration timeout) {
        return next("send", timeout);
    }

    @Override
    public Optional<CompletionRecord> received(Duration timeout) {
        return next("receive", timeout);
    }

    private Optional<CompletionRecord> next(String queue, Duration timeout) {
        List<String> words = oracle.ask("wait %s %d".formatted(queue, timeout.toMillis()));
        if (words.getFirst().equals("none")) {
            return Optional.empty();
        }
        int flags = number(words.get(4));
        int value = number(words.get(5));
        CompletedOperation operation = operation(number(words.get(2)));
        boolean invalidated = (flags & WITH_INVALIDATE) != 0;
        if (operation.isReceive() && (flags & KERNEL_WITH_INVALIDATE) != 0) {
            invalidated = true;
            differences.add(Difference.INVALIDATED_FLAG);
        }
        return Optional.of(
                new CompletionRecord(
                        wide(words.get(0)),
                        CompletionStatus.of(number(words.get(1))),
                        operation,
                        wide(words.get(3)),
                        (flags & WITH_IMMEDIATE) != 0 ? OptionalInt.of(value) : OptionalInt.empty(),
                        invalidated ? OptionalInt.of(value) : OptionalInt.empty(),
                        number(words.get(6)),
                        number(words.get(7)),
                        (flags & WITH_HEADER) != 0));
    }

    private static CompletedOperation operation(int code) {
        return Arrays.stream(CompletedOperation.values())
                .filter(it -> it.code() == code)
                .findFirst()
                .orElseThrow(() -> new CellFailure("a completion of operation " + code));
    }

    @Override
    public void limit(int requests) {
        oracle.ask("limit %d".formatted(requests));
    }

    @Override
    public Optional<AsyncEvent.Type> event(Duration timeout) {
        String word = oracle.ask("event %d".formatted(timeout.toMillis())).getFirst();
        return Arrays.stream(AsyncEvent.Type.values())
                .filter(it -> Integer.toString(it.code()).equals(word))
                .findFirst();
    }

    @Override
    public QueuePairState state() {
        int code = number(oracle.ask("state").getFirst());
        return Arrays.stream(QueuePairState.values())
                .filter(it -> it.code() == code)
                .findFirst()
                .orElseThrow(() -> new CellFailure("a queue pair in state " + code));
    }

    @Override
    public SortedMap<String, Long> counters() {
        List<String> words = oracle.ask("counters");
        SortedMap<String, Long> counters = new TreeMap<>();
        for (int i = 0; i + 1 < words.size(); i += 2) {
            counters.put(words.get(i), wide(words.get(i + 1)));
        }
        return counters;
    }

    @Override
    public boolean admits(Difference difference) {
        differences.add(difference);
        return true;
    }

    @Override
    public Set<Difference> differences() {
        return differences;
    }

    @Override
    public void close() {
        oracle.ask("close");
    }

    private static int number(String word) {
        return (int) wide(word);
    }

    private static long wide(String word) {
        return word.startsWith("0x")
                ? Long.parseUnsignedLong(word.substring(2), 16)
                : Long.parseUnsignedLong(word);
    }
}
