package dev.verbena.netty;

import dev.verbena.stream.StreamGroup;
import dev.verbena.stream.StreamSettings;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.spi.DrivenWait;
import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoOps;
import io.netty.channel.IoRegistration;
import io.netty.util.concurrent.ThreadAwareExecutor;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Drives the channels of one event loop: one group of streams, on a device that the loops of an
/// event loop group share.
public final class RdmaIoHandler implements IoHandler {
    /// While a connection is being made or a closed stream delivers its rest, the loop looks again
    /// after this time: nothing announces these.
    private static final long TIMED_PARK_NS = 1_000_000;

    /// A loop without work looks for it at least so often.
    private static final long PARK_MAX_NS = 1_000_000_000;

    private final ThreadAwareExecutor executor;
    private final StreamGroup group;
    private final Runnable end;
    private final Set<RdmaIoHandle> handles = new LinkedHashSet<>();
    private final AtomicBoolean awake = new AtomicBoolean();
    private final BooleanSupplier isAwake = awake::get;
    private final @Nullable DrivenWait wait;
    private volatile @Nullable Thread thread;

    /// Whether the loop waits, or is about to: otherwise it looks anyway before it does.
    private volatile boolean isWaiting;

    private RdmaIoHandler(
            ThreadAwareExecutor executor, Device device, StreamSettings settings, Runnable end) {
        this.executor = executor;
        this.end = end;
        group = new StreamGroup(device, settings);
        wait = DrivenWait.of(device).orElse(null);
        group.onNotification(this::wake);
    }

    /// For a group whose loops share a device that this opens, such as `roce://192.0.2.1` or
    /// `ibverbs://mlx5_0`, and closes when the group has ended.
    public static IoHandlerFactory newFactory(String uri) {
        return newFactory(uri, StreamSettings.DEFAULT);
    }

    /// The same with other sizes and times of streams.
    public static IoHandlerFactory newFactory(String uri, StreamSettings settings) {
        SharedDevice shared = new SharedDevice(uri);
        return executor -> new RdmaIoHandler(executor, shared.take(), settings, shared::giveBack);
    }

    /// For a group on a device of the caller, who closes it after the group has ended.
    public static IoHandlerFactory newFactory(Device device, StreamSettings settings) {
        return executor -> new RdmaIoHandler(executor, device, settings, () -> {});
    }

    StreamGroup group() {
        return group;
    }

    @Override
    public int run(IoHandlerContext context) {
        if (thread == null) {
            thread = Thread.currentThread();
        }
        int done = group.progress() ? 1 : 0;
        if (done == 0 && context.canBlock()) {
            group.arm();
            // What arrived before it was armed gives no notice.
            if (group.progress()) {
                return 1;
            }
            park(context);
            done = group.progress() ? 1 : 0;
        }
        return done;
    }

    private void park(IoHandlerContext context) {
        long most = group.isTimed() ? TIMED_PARK_NS : PARK_MAX_NS;
        pause(Math.min(most, context.delayNanos(System.nanoTime())));
    }

    /// Waits until it is woken. The loop drives the device meanwhile, where it can: otherwise a
    /// thread of the device would have to be woken for each packet, and would then wake the loop.
    private void pause(long ns) {
        isWaiting = true;
        if (!awake.get() && ns > 0) {
            DrivenWait driven = wait;
            if (driven == null) {
                LockSupport.parkNanos(this, ns);
            } else {
                driven.await(ns, isAwake);
            }
            // An interrupt means nothing to a loop, and would end every wait.
            boolean _ = Thread.interrupted();
        }
        isWaiting = false;
        awake.set(false);
    }

    private void wake() {
        awake.set(true);
        if (!isWaiting) {
            return;
        }
        DrivenWait driven = wait;
        if (driven == null) {
            LockSupport.unpark(thread);
        } else {
            driven.wake();
        }
    }

    @Override
    public void wakeup() {
        if (!executor.isExecutorThread(Thread.currentThread())) {
            wake();
        }
    }

    @Override
    public void prepareToDestroy() {
        closeAll();
    }

    private void closeAll() {
        for (RdmaIoHandle handle : new ArrayList<>(handles)) {
            handle.close();
        }
    }

    /// Lets closed streams deliver their rest, as long as their linger time allows.
    @Override
    public void destroy() {
        // A loop that is asked to end while it runs its last tasks does not prepare.
        closeAll();
        while (group.isTimed()) {
            if (!group.progress()) {
                pause(TIMED_PARK_NS / 10);
            }
        }
        group.close();
        end.run();
    }

    @Override
    public IoRegistration register(IoHandle handle) {
        if (!(handle instanceof RdmaIoHandle ours)) {
            throw new IllegalArgumentException(
                    handle.getClass().getName() + " is no channel of RdmaIoHandler");
        }
        if (!handles.add(ours)) {
            throw new IllegalStateException(handle + " is registered already");
        }
        ours.registered();
        return new Registration(ours);
    }

    @Override
    public boolean isCompatible(Class<? extends IoHandle> type) {
        return RdmaIoHandle.class.isAssignableFrom(type);
    }

    private final class Registration implements IoRegistration {
        private final AtomicBoolean cancelled = new AtomicBoolean();
        private final RdmaIoHandle handle;

        Registration(RdmaIoHandle handle) {
            this.handle = handle;
        }

        /// The handler itself, for the channel.
        @Override
        @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // as Netty declares it
        public <T> T attachment() {
            return (T) RdmaIoHandler.this;
        }

        @Override
        public long submit(IoOps ops) {
            throw new UnsupportedOperationException("channels call their stream");
        }

        @Override
        public boolean isValid() {
            return !cancelled.get();
        }

        @Override
        public boolean cancel() {
            if (!cancelled.compareAndSet(false, true)) {
                return false;
            }
            if (executor.isExecutorThread(Thread.currentThread())) {
                remove();
            } else {
                executor.execute(this::remove);
            }
            return true;
        }

        private void remove() {
            if (handles.remove(handle)) {
                handle.unregistered();
            }
        }
    }
}
