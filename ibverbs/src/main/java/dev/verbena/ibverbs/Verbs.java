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

    private final Library library;
    private final Function getDeviceList;
    private final Function freeDeviceList;
    private final Function openDevice;
    private final Function closeDevice;
    private final Function queryDevice;
    private final Function queryPort;
    private final Function getAsyncEvent;
    private final Function ackAsyncEvent;
    private final Function allocPd;
    private final Function deallocPd;
    private final Function regMr;
    private final Function deregMr;
    private final Function createChannel;
    private final Function destroyChannel;
    private final Function createCq;
    private final Function destroyCq;
    private final Function getCqEvent;
    private final Function ackCqEvents;
    private final Function createQp;
    private final Function modifyQp;
    private final Function queryQp;
    private final Function destroyQp;
    private final Function createSrq;
    private final Function modifySrq;
    private final Function querySrq;
    private final Function destroySrq;
    private final Function createAh;
    private final Function destroyAh;
    private final Function attach;
    private final Function detach;

    /// The functions of a library; of one that lacks some, it is an `IllegalArgumentException`.
    Verbs(Library library) {
        this.library = library;
        getDeviceList = f("ibv_get_device_list", LONG, LONG);
        freeDeviceList = f("ibv_free_device_list", VOID, LONG);
        openDevice = f("ibv_open_device", LONG, LONG);
        closeDevice = f("ibv_close_device", INT, LONG);
        queryDevice = f("ibv_query_device", INT, LONG, LONG);
        queryPort = f("ibv_query_port", INT, LONG, INT, LONG);
        getAsyncEvent = f("ibv_get_async_event", INT, LONG, LONG);
        ackAsyncEvent = f("ibv_ack_async_event", VOID, LONG);
        allocPd = f("ibv_alloc_pd", LONG, LONG);
        deallocPd = f("ibv_dealloc_pd", INT, LONG);
        regMr = f("ibv_reg_mr", LONG, LONG, LONG, LONG, INT);
        deregMr = f("ibv_dereg_mr", INT, LONG);
        createChannel = f("ibv_create_comp_channel", LONG, LONG);
        destroyChannel = f("ibv_destroy_comp_channel", INT, LONG);
        createCq = f("ibv_create_cq", LONG, LONG, INT, LONG, LONG, INT);
        destroyCq = f("ibv_destroy_cq", INT, LONG);
        getCqEvent = f("ibv_get_cq_event", INT, LONG, LONG, LONG);
        ackCqEvents = f("ibv_ack_cq_events", VOID, LONG, INT);
        createQp = f("ibv_create_qp", LONG, LONG, LONG);
        modifyQp = f("ibv_modify_qp", INT, LONG, LONG, INT);
        queryQp = f("ibv_query_qp", INT, LONG, LONG, INT, LONG);
        destroyQp = f("ibv_destroy_qp", INT, LONG);
        createSrq = f("ibv_create_srq", LONG, LONG, LONG);
        modifySrq = f("ibv_modify_srq", INT, LONG, LONG, INT);
        querySrq = f("ibv_query_srq", INT, LONG, LONG);
        destroySrq = f("ibv_destroy_srq", INT, LONG);
        createAh = f("ibv_create_ah", LONG, LONG, LONG);
        destroyAh = f("ibv_destroy_ah", INT, LONG);
        attach = f("ibv_attach_mcast", INT, LONG, LONG, INT);
        detach = f("ibv_detach_mcast", INT, LONG, LONG, INT);
    }

    private static final class Loaded {
        static final Verbs VERBS = new Verbs(NativeLibrary.load(NAME));

        private Loaded() {}
    }

    /// The library of this machine; ask [#absence] before.
    static Verbs ofThisMachine() {
        return Loaded.VERBS;
    }

    /// The reason why there is no libibverbs here, and the package to install; empty when there is
    /// one.
    static String absence() {
        String reason = NativeLibrary.absence();
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

    /// A function that a structure of the library points to.
    Function pointer(String title, long address, Library.Kind result, Library.Kind... arguments) {
        return library.pointer(title, address, result, arguments);
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

    long regMr(String who, String what, long domain, long address, long length, int access) {
        return made(who, what, regMr.call(domain, address, length, access));
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

    long createCq(String who, String what, long context, int entries, long key, long channel) {
        return made(who, what, createCq.call(context, entries, key, channel, 0));
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

    long createSrq(String who, String what, long domain, long attributes) {
        return made(who, what, createSrq.call(domain, attributes));
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
