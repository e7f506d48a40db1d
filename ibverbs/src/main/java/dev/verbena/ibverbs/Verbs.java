package dev.verbena.ibverbs;

import static dev.verbena.ibverbs.Library.Kind.INT;
import static dev.verbena.ibverbs.Library.Kind.LONG;
import static dev.verbena.ibverbs.Library.Kind.VOID;

import dev.verbena.ibverbs.Library.Answer;
import dev.verbena.ibverbs.Library.Function;
import dev.verbena.verbs.UnsupportedException;
import org.jspecify.annotations.Nullable;

/// The functions of libibverbs that create, change and destroy objects.
///
/// A call that creates an object returns its address or throws the exception of [Errno#refusal]; a
/// call that changes or destroys an object returns 0 or an error code.
final class Verbs {
    private static final String NAME = "libibverbs.so.1";
    private static final String PACKAGE =
            "libibverbs is missing; install it: apt install libibverbs1 ibverbs-providers, or"
                    + " dnf install libibverbs";

    private final Library library = Library.load(NAME);
    private final Function getDeviceList = f("ibv_get_device_list", LONG, LONG);
    private final Function freeDeviceList = f("ibv_free_device_list", VOID, LONG);
    private final Function openDevice = f("ibv_open_device", LONG, LONG);
    private final Function closeDevice = f("ibv_close_device", INT, LONG);
    private final Function queryDevice = f("ibv_query_device", INT, LONG, LONG);
    private final Function queryPort = f("ibv_query_port", INT, LONG, INT, LONG);
    private final Function getAsyncEvent = f("ibv_get_async_event", INT, LONG, LONG);
    private final Function ackAsyncEvent = f("ibv_ack_async_event", VOID, LONG);
    private final Function allocPd = f("ibv_alloc_pd", LONG, LONG);
    private final Function deallocPd = f("ibv_dealloc_pd", INT, LONG);
    private final Function regMr = f("ibv_reg_mr", LONG, LONG, LONG, LONG, INT);
    private final Function deregMr = f("ibv_dereg_mr", INT, LONG);
    private final Function createChannel = f("ibv_create_comp_channel", LONG, LONG);
    private final Function destroyChannel = f("ibv_destroy_comp_channel", INT, LONG);
    private final Function createCq = f("ibv_create_cq", LONG, LONG, INT, LONG, LONG, INT);
    private final Function destroyCq = f("ibv_destroy_cq", INT, LONG);
    private final Function getCqEvent = f("ibv_get_cq_event", INT, LONG, LONG, LONG);
    private final Function ackCqEvents = f("ibv_ack_cq_events", VOID, LONG, INT);
    private final Function createQp = f("ibv_create_qp", LONG, LONG, LONG);
    private final Function modifyQp = f("ibv_modify_qp", INT, LONG, LONG, INT);
    private final Function queryQp = f("ibv_query_qp", INT, LONG, LONG, INT, LONG);
    private final Function destroyQp = f("ibv_destroy_qp", INT, LONG);
    private final Function createSrq = f("ibv_create_srq", LONG, LONG, LONG);
    private final Function modifySrq = f("ibv_modify_srq", INT, LONG, LONG, INT);
    private final Function querySrq = f("ibv_query_srq", INT, LONG, LONG);
    private final Function destroySrq = f("ibv_destroy_srq", INT, LONG);
    private final Function createAh = f("ibv_create_ah", LONG, LONG, LONG);
    private final Function destroyAh = f("ibv_destroy_ah", INT, LONG);
    private final Function attach = f("ibv_attach_mcast", INT, LONG, LONG, INT);
    private final Function detach = f("ibv_detach_mcast", INT, LONG, LONG, INT);

    private Verbs() {}

    private static final class Loaded {
        static final Verbs VERBS = new Verbs();

        private Loaded() {}
    }

    /// The library; ask [#absence] before.
    static Verbs get() {
        return Loaded.VERBS;
    }

    /// The reason why there is no libibverbs here, and the package to install; empty when there is
    /// one.
    static String absence() {
        String reason = Library.absence();
        if (!reason.isEmpty()) {
            return reason;
        }
        try {
            return Loaded.VERBS == null ? PACKAGE : "";
        } catch (ExceptionInInitializerError | NoClassDefFoundError missing) {
            Throwable cause = missing.getCause();
            String message = cause == null ? "" : String.valueOf(cause.getMessage());
            return message.contains("function") ? message + "; install a newer one" : PACKAGE;
        }
    }

    private Function f(String name, Library.Kind result, Library.Kind... arguments) {
        return library.function(name, result, arguments);
    }

    /// A function that not every version has; answers null where it is not there.
    @Nullable Function optional(String name, Library.Kind result, Library.Kind... arguments) {
        try {
            return f(name, result, arguments);
        } catch (IllegalArgumentException missing) {
            return null;
        }
    }

    /// An array of devices, whose length is written to `count`; 0 when there is none.
    long deviceList(long count) {
        return getDeviceList.call(count).value();
    }

    void freeDeviceList(long list) {
        freeDeviceList.call(list);
    }

    /// A context, or 0 and the reason.
    Answer openDevice(long device) {
        return openDevice.call(device);
    }

    void closeDevice(long context) {
        closeDevice.call(context);
    }

    int queryDevice(long context, long attributes) {
        return (int) queryDevice.call(context, attributes).value();
    }

    int queryPort(long context, int port, long attributes) {
        return (int) queryPort.call(context, port, attributes).value();
    }

    /// The next event into `event`: 0, or a reason, which is EAGAIN when there is none.
    int asyncEvent(long context, long event) {
        return reason(getAsyncEvent.call(context, event));
    }

    void acknowledge(long event) {
        ackAsyncEvent.call(event);
    }

    long allocPd(String who, long context) {
        return made(who, "a protection domain", allocPd.call(context));
    }

    int deallocPd(long domain) {
        return (int) deallocPd.call(domain).value();
    }

    long regMr(String who, long domain, long address, long length, int access) {
        return made(
                who, "memory of " + length + " bytes", regMr.call(domain, address, length, access));
    }

    long regDmaBuf(String who, long domain, long offset, long length, int file, int access) {
        Function register = optional("ibv_reg_dmabuf_mr", LONG, LONG, LONG, LONG, LONG, INT, INT);
        if (register == null) {
            throw new UnsupportedException(
                    who,
                    "the installed libibverbs knows no dma-buf",
                    "install rdma-core 34 or newer");
        }
        return made(
                who,
                "a dma-buf of " + length + " bytes",
                register.call(domain, offset, length, offset, file, access));
    }

    int deregMr(long region) {
        return (int) deregMr.call(region).value();
    }

    long createChannel(String who, long context) {
        return made(who, "a completion channel", createChannel.call(context));
    }

    int destroyChannel(long channel) {
        return (int) destroyChannel.call(channel).value();
    }

    long createCq(String who, long context, int entries, long key, long channel) {
        return made(
                who,
                "a completion queue for " + entries,
                createCq.call(context, entries, key, channel, 0));
    }

    int destroyCq(long queue) {
        return (int) destroyCq.call(queue).value();
    }

    /// The queue that has an event, into `queue`, and its key, into `key`; 0 or a reason.
    int channelEvent(long channel, long queue, long key) {
        return reason(getCqEvent.call(channel, queue, key));
    }

    void acknowledge(long queue, int events) {
        ackCqEvents.call(queue, events);
    }

    Answer createQp(long domain, long attributes) {
        return createQp.call(domain, attributes);
    }

    int modifyQp(long pair, long attributes, int mask) {
        return (int) modifyQp.call(pair, attributes, mask).value();
    }

    int queryQp(long pair, long attributes, int mask, long init) {
        return (int) queryQp.call(pair, attributes, mask, init).value();
    }

    int destroyQp(long pair) {
        return (int) destroyQp.call(pair).value();
    }

    long createSrq(String who, long domain, long attributes) {
        return made(who, "a shared receive queue", createSrq.call(domain, attributes));
    }

    int modifySrq(long queue, long attributes, int mask) {
        return (int) modifySrq.call(queue, attributes, mask).value();
    }

    int querySrq(long queue, long attributes) {
        return (int) querySrq.call(queue, attributes).value();
    }

    int destroySrq(long queue) {
        return (int) destroySrq.call(queue).value();
    }

    long createAh(String who, String what, long domain, long attributes) {
        return made(who, what, createAh.call(domain, attributes));
    }

    int destroyAh(long handle) {
        return (int) destroyAh.call(handle).value();
    }

    int attach(long pair, long gid, int lid) {
        return (int) attach.call(pair, gid, lid).value();
    }

    int detach(long pair, long gid, int lid) {
        return (int) detach.call(pair, gid, lid).value();
    }

    /// The address of the new object.
    static long made(String who, String what, Answer answer) {
        if (answer.value() == 0) {
            throw Errno.refusal(who, what, answer.errno());
        }
        return answer.value();
    }

    private static int reason(Answer answer) {
        return answer.value() == 0 ? 0 : answer.errno();
    }
}
