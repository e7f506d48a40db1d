package dev.verbena.cli.ibsim;

import dev.verbena.fabric.CableFault;
import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.manage.Delivery;
import dev.verbena.fabric.manage.MadEnvelope;
import dev.verbena.fabric.manage.ManagementPort;
import dev.verbena.fabric.manage.Subnet;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/// Serves a simulated subnet to programs that are linked with libibumad, by ibsim's protocol over
/// UDP: unmodified, with `LD_PRELOAD` of ibsim's libumad2sim.
///
/// One thread does all: it reads what programs send, lets simulated time pass, and reads the
/// console.
public final class IbsimServer implements AutoCloseable {
    /// A million commands of the console do not pile up.
    private static final int COMMANDS_MAX = 1024;

    private static final int READS_MAX = 256;
    private static final int BUFFER_BYTES = 4 << 20;
    private static final List<String> COUNTERS =
            List.of("PortXmitData", "PortRcvData", "PortXmitPkts", "PortRcvPkts");
    private static final long PS_PER_SECOND = 1_000_000_000_000L;

    /// How long to sleep: with events to come, and without.
    private static final long BUSY_MS = 1;

    private static final long IDLE_MS = 10;

    private final Fabric fabric;
    private final Subnet subnet;
    private final IbsimOptions options;
    private final PrintWriter out;
    private final Selector selector;
    private final DatagramChannel control;
    private final InetSocketAddress address;
    private final Clients clients;
    private final ControlAnswers answers;
    private final Pace pace;
    private Optional<Traffic> traffic = Optional.empty();
    private final BlockingQueue<String> commands = new LinkedBlockingQueue<>(COMMANDS_MAX);
    private final ByteBuffer data = ByteBuffer.allocate(DataMessage.LENGTH + 1);
    private final ByteBuffer request = ByteBuffer.allocate(ControlMessage.LENGTH + 1);
    private long datagrams;
    private long refused;
    private Runnable watch = () -> {};
    private volatile boolean isEnding;

    public IbsimServer(Fabric fabric, IbsimOptions options, PrintWriter out) throws IOException {
        this.fabric = fabric;
        this.options = options;
        this.out = out;
        subnet = fabric.subnet();
        selector = Selector.open();
        control = DatagramChannel.open();
        control.setOption(StandardSocketOptions.SO_RCVBUF, BUFFER_BYTES);
        control.bind(options.address());
        control.configureBlocking(false);
        control.register(selector, SelectionKey.OP_READ);
        address = (InetSocketAddress) control.getLocalAddress();
        clients = new Clients(options.clients());
        answers = new ControlAnswers(clients);
        pace = new Pace(fabric, options.ratio(), System.nanoTime());
        if (options.trafficBytes() > 0) {
            traffic = Optional.of(new Traffic(fabric, subnet, options.trafficBytes()));
        }
    }

    /// The address of the control socket.
    public InetSocketAddress address() {
        return address;
    }

    /// Takes a line of the console; see [#command]. May be called by another thread.
    public void console(String line) {
        if (!commands.offer(line)) {
            isEnding = true;
        }
    }

    /// Looks at the subnet in each turn, on the thread that serves.
    public void watch(Runnable turn) {
        watch = turn;
    }

    /// Ends [#serve]; may be called by another thread.
    public void end() {
        isEnding = true;
        selector.wakeup();
    }

    /// Serves until [#end], or until the time is up.
    public void serve() throws IOException {
        long untilNs = System.nanoTime() + options.limitNs();
        while (!isEnding && System.nanoTime() - untilNs < 0) {
            selector.select(fabric.isIdle() ? IDLE_MS : BUSY_MS);
            // A copy, since a program that attaches makes the selector look again.
            List<SelectionKey> ready = List.copyOf(selector.selectedKeys());
            selector.selectedKeys().clear();
            for (SelectionKey key : ready) {
                if (key.isValid()) {
                    read(key);
                }
            }
            String line = commands.poll();
            if (line != null) {
                say(command(line));
            }
            pace.run();
            watch.run();
            traffic.flatMap(Traffic::look).ifPresent(this::say);
        }
    }

    private void say(String line) {
        out.println(line);
        out.flush();
    }

    private void read(SelectionKey key) throws IOException {
        if (key.attachment() instanceof Client client) {
            take(client);
        } else {
            control();
        }
    }

    private void control() throws IOException {
        for (int i = 0; i < READS_MAX; i++) {
            request.clear();
            InetSocketAddress from = (InetSocketAddress) control.receive(request);
            if (from == null) {
                return;
            }
            request.flip();
            if (!ControlMessage.isOne(request)) {
                refused++;
                continue;
            }
            ControlMessage message =
                    new ControlMessage(request.clear().limit(ControlMessage.LENGTH));
            if (message.type() == ControlMessage.CONNECT) {
                connect(message, from);
            } else {
                answers.answer(message, from);
            }
            control.send(request.clear().limit(ControlMessage.LENGTH), from);
        }
    }

    private void connect(ControlMessage message, InetSocketAddress from) throws IOException {
        clients.sweep();
        // Ports of sockets that were closed are free once the selector has let go of them.
        selector.selectNow();
        int slot = clients.free();
        int host = host(message.node());
        int dataPort = message.word(0);
        if (slot < 0 || host < 0 || dataPort < 1 || dataPort > 0xFFFF) {
            refused++;
            message.fail();
            return;
        }
        boolean isManager = message.word(2) != 0;
        ManagementPort port = subnet.port(host);
        Client client;
        try {
            client = Client.attach(slot, address, from, dataPort, port, selector);
        } catch (IOException taken) {
            // Another program has the port of this number.
            refused++;
            message.fail();
            return;
        }
        clients.add(client);
        clients.isManager(client, isManager);
        message.word(0, slot);
        message.client(slot);
        message.node(subnet.nodeId(host));
        say("client %d at %s".formatted(slot, fabric.topology().hostName(host)));
    }

    private int host(String name) {
        return name.isEmpty() ? 0 : subnet.host(name);
    }

    private void take(Client client) throws IOException {
        try {
            for (int i = 0; i < READS_MAX && client.read(data); i++) {
                if (data.remaining() == DataMessage.LENGTH) {
                    carry(client);
                } else {
                    refused++;
                }
            }
        } catch (IOException gone) {
            clients.remove(client);
        }
    }

    private void carry(Client client) {
        datagrams++;
        MadEnvelope envelope = DataMessage.envelope(data);
        byte[] mad = new byte[DataMessage.MAD_LENGTH];
        data.get(DataMessage.MAD, mad);
        MemorySegment sent = MemorySegment.ofArray(mad);
        Clients.mark(sent, client.slot());
        Delivery outcome = client.port().send(envelope, sent);
        if (!outcome.isOk() && clients.get(client.slot()) == client) {
            // As the kernel would give it back when no answer has come.
            MemorySegment original = MemorySegment.ofBuffer(data).asSlice(DataMessage.MAD);
            MemorySegment back = MemorySegment.ofArray(new byte[DataMessage.MAD_LENGTH]);
            MemorySegment.copy(original, 0, back, 0, DataMessage.MAD_LENGTH);
            clients.send(client, envelope, DataMessage.TIMED_OUT, back);
        }
    }

    /// Carries a line of the console out: `unplug CABLE SECONDS`, `traffic BYTES`, `counters HOST`
    /// or `quit`.
    private String command(String line) {
        List<String> words = List.of(line.strip().split("\\s+", -1));
        try {
            return switch (words.getFirst() + " " + words.size()) {
                case "unplug 3" -> unplug(Integer.parseInt(words.get(1)), words.get(2));
                case "traffic 2" -> traffic(Long.parseLong(words.get(1)));
                case "counters 2" -> counters(words.get(1));
                case "quit 1" -> {
                    isEnding = true;
                    yield "ends";
                }
                default ->
                        "\"%s\": use unplug CABLE SECONDS, traffic BYTES, counters HOST or quit"
                                .formatted(line);
            };
        } catch (IllegalArgumentException | VerbsException wrong) {
            return line + ": " + wrong.getMessage();
        }
    }

    private String unplug(int cable, String seconds) {
        long fromPs = fabric.nowPs();
        double lengthPs = Double.parseDouble(seconds) * PS_PER_SECOND;
        fabric.fault(CableFault.down(cable, fromPs, fromPs + (long) lengthPs));
        return "cable %d is unplugged for %s s".formatted(cable, seconds);
    }

    private String traffic(long bytes) {
        if (bytes < 1 || traffic.isPresent()) {
            throw new IllegalArgumentException(
                    traffic.isPresent()
                            ? "there was traffic already: start another server"
                            : "use 1 byte or more");
        }
        traffic = Optional.of(new Traffic(fabric, subnet, bytes));
        return "traffic waits for active ports";
    }

    private String counters(String host) {
        Map<String, Long> counts = fabric.counters(host).getFirst().counts();
        StringBuilder text = new StringBuilder("counters " + host);
        for (String name : COUNTERS) {
            text.append(' ').append(name).append(' ').append(counts.getOrDefault(name, 0L));
        }
        return text.toString();
    }

    /// What it has done, in words.
    public String summary() {
        return "%,d datagrams, %,d messages refused, %,d lost, %s; %.3g simulated seconds a second"
                .formatted(datagrams, refused, clients.lost(), subnet.counts(), pace.reached());
    }

    @Override
    public void close() throws IOException {
        clients.closeAll();
        control.close();
        selector.close();
    }
}
