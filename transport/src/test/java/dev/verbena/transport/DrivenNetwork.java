package dev.verbena.transport;

import dev.verbena.transport.carrier.Driver;
import dev.verbena.transport.carrier.Guard;
import dev.verbena.transport.carrier.InboundPacket;
import dev.verbena.transport.carrier.OutboundPacket;
import dev.verbena.transport.carrier.TransmitSink;
import dev.verbena.verbs.Gid;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// Devices that a thread of the network's drives in real time, so that programs may use them from
/// threads of their own. Nothing is lost.
final class DrivenNetwork {
    private static final int TURN_BYTES = 1 << 16;
    private static final long NAP_NS = 1_000_000;

    private final List<Port> ports = new CopyOnWriteArrayList<>();
    private final SplittableRandom random;
    private final InboundPacket inbound = new InboundPacket();
    private final Thread thread = new Thread(this::run, "network");
    private volatile boolean isOver;

    DrivenNetwork(long seed) {
        random = new SplittableRandom(seed);
        thread.setDaemon(true);
        thread.start();
    }

    TransportDevice open(String name, Consumer<TransportOptions> settings) {
        Port port = new Port(new Gid(0xFD00L << 48, ports.size() + 1));
        TransportOptions options = new TransportOptions(random.split(), port).guard(port.guard);
        settings.accept(options);
        port.device = TransportDevice.create(options.name(name).gids(List.of(port.gid)));
        ports.add(port);
        return port.device;
    }

    TransportDevice open(String name) {
        return open(name, options -> {});
    }

    /// Ends the thread; what the devices have not sent by now, they never will.
    void close() throws InterruptedException {
        isOver = true;
        LockSupport.unpark(thread);
        thread.join(10_000);
        if (thread.isAlive()) {
            throw new AssertionError("the network's thread does not end");
        }
    }

    private void run() {
        while (!isOver) {
            boolean moved = false;
            for (Port port : ports) {
                moved |= port.drive();
            }
            if (!moved) {
                LockSupport.parkNanos(NAP_NS);
            }
        }
    }

    /// A packet between two devices.
    private record Flying(Gid from, Gid to, MemorySegment bytes, int header, int payload) {}

    /// A lock as a guard.
    static final class Lock implements Guard {
        private final ReentrantLock lock = new ReentrantLock();

        @Override
        public void enter() {
            lock.lock();
        }

        @Override
        public void exit() {
            lock.unlock();
        }

        boolean isMine() {
            return lock.isHeldByCurrentThread();
        }
    }

    private final class Port implements Driver, TransmitSink {
        private final Gid gid;
        private final Lock guard = new Lock();
        private final List<Flying> sent = new ArrayList<>();
        private final OutboundPacket outbound =
                new OutboundPacket(Arena.ofAuto().allocate(OutboundPacket.MAX_HEADER_LENGTH, 8), 0);

        @SuppressWarnings("NullAway.Init") // the device needs its port before the port its device
        private TransportDevice device;

        private volatile boolean isClosed;

        Port(Gid gid) {
            this.gid = gid;
        }

        private boolean drive() {
            guard.enter();
            try {
                long nowNs = nowNs();
                if (device.pollTimeout() <= nowNs) {
                    device.handleTimeout(nowNs);
                }
                device.pollTransmit(nowNs, 0xFFFF, TURN_BYTES, this);
            } finally {
                guard.exit();
            }
            boolean moved = !sent.isEmpty();
            sent.forEach(this::deliver);
            sent.clear();
            return moved;
        }

        private void deliver(Flying packet) {
            for (Port port : ports) {
                if (port.gid.equals(packet.to)) {
                    port.take(packet);
                }
            }
        }

        private void take(Flying packet) {
            MemorySegment bytes = packet.bytes;
            int header = packet.header;
            guard.enter();
            try {
                inbound.verdict(
                                inbound.view()
                                        .wrapApart(bytes, 0, header, bytes, header, packet.payload))
                        .from(0, packet.from)
                        .to(gid);
                device.handlePacket(nowNs(), inbound);
            } finally {
                guard.exit();
            }
        }

        @Override
        public long nowNs() {
            return System.nanoTime();
        }

        @Override
        public boolean turn() {
            refuseGuard("turn");
            return false;
        }

        @Override
        public void idle(long deadlineNs, BooleanSupplier isDone) {
            refuseGuard("idle");
            if (!isClosed) {
                LockSupport.parkNanos(deadlineNs - nowNs());
            }
        }

        @Override
        public void wake() {
            requireGuard("wake");
            LockSupport.unpark(thread);
        }

        @Override
        public void rouse(Thread waiter) {
            requireGuard("rouse");
            LockSupport.unpark(waiter);
        }

        @Override
        public void closed() {
            refuseGuard("closed");
            isClosed = true;
        }

        private void requireGuard(String call) {
            if (!guard.isMine()) {
                throw new AssertionError(call + " was called without the guard");
            }
        }

        private void refuseGuard(String call) {
            if (guard.isMine()) {
                throw new AssertionError(call + " was called with the guard held");
            }
        }

        @Override
        public OutboundPacket next() {
            return outbound;
        }

        @Override
        public void accept(OutboundPacket packet) {
            int header = packet.headerLength();
            int payload = packet.payloadLength();
            MemorySegment bytes = MemorySegment.ofArray(new byte[header + payload]);
            MemorySegment.copy(packet.header(), packet.headerAt(), bytes, 0, header);
            packet.copyPayload(bytes, header);
            sent.add(new Flying(gid, packet.path().address().gid(), bytes, header, payload));
        }
    }
}
