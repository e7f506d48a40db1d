package dev.verbena.ibverbs;

import static dev.verbena.ibverbs.Library.Kind.INT;
import static dev.verbena.ibverbs.Library.Kind.LONG;
import static dev.verbena.ibverbs.Library.Kind.VOID;

import dev.verbena.ibverbs.Library.Answer;
import dev.verbena.ibverbs.Library.Function;
import dev.verbena.verbs.UnsupportedException;

/// The functions of librdmacm: the connection manager of Linux.
///
/// Each returns 0 or an error code. None waits: an event reports the result later.
final class Cm {
    private static final String NAME = "librdmacm.so.1";

    private final Library library;
    private final Function createChannel;
    private final Function destroyChannel;
    private final Function createId;
    private final Function destroyId;
    private final Function bindAddress;
    private final Function listen;
    private final Function resolveAddress;
    private final Function resolveRoute;
    private final Function connect;
    private final Function accept;
    private final Function establish;
    private final Function reject;
    private final Function disconnect;
    private final Function initQpAttr;
    private final Function getEvent;
    private final Function ackEvent;

    /// The functions of a library; of one that lacks some, it is an `IllegalArgumentException`.
    Cm(Library library) {
        this.library = library;
        createChannel = f("rdma_create_event_channel", LONG);
        destroyChannel = f("rdma_destroy_event_channel", VOID, LONG);
        createId = f("rdma_create_id", INT, LONG, LONG, LONG, INT);
        destroyId = f("rdma_destroy_id", INT, LONG);
        bindAddress = f("rdma_bind_addr", INT, LONG, LONG);
        listen = f("rdma_listen", INT, LONG, INT);
        resolveAddress = f("rdma_resolve_addr", INT, LONG, LONG, LONG, INT);
        resolveRoute = f("rdma_resolve_route", INT, LONG, INT);
        connect = f("rdma_connect", INT, LONG, LONG);
        accept = f("rdma_accept", INT, LONG, LONG);
        establish = f("rdma_establish", INT, LONG);
        reject = f("rdma_reject", INT, LONG, LONG, INT);
        disconnect = f("rdma_disconnect", INT, LONG);
        initQpAttr = f("rdma_init_qp_attr", INT, LONG, LONG, LONG);
        getEvent = f("rdma_get_cm_event", INT, LONG, LONG);
        ackEvent = f("rdma_ack_cm_event", INT, LONG);
    }

    private static final class Loaded {
        static final Cm CM = new Cm(NativeLibrary.load(NAME));

        private Loaded() {}
    }

    /// The library of this machine.
    ///
    /// @throws UnsupportedException when there is none, with the package to install
    static Cm ofThisMachine(String who) {
        try {
            return Loaded.CM;
        } catch (ExceptionInInitializerError | NoClassDefFoundError missing) {
            Throwable cause = missing.getCause();
            String message = cause == null ? "" : String.valueOf(cause.getMessage());
            throw message.contains("function")
                    ? new UnsupportedException(who, message, "install rdma-core 23 or newer")
                    : new UnsupportedException(
                            who,
                            "it manages connections through librdmacm, which is missing",
                            "install it: apt install librdmacm1, or dnf install librdmacm; or"
                                    + " exchange endpoints instead");
        }
    }

    private Function f(String name, Library.Kind result, Library.Kind... arguments) {
        return library.function(name, result, arguments);
    }

    /// A channel for events, or 0 and the reason.
    Answer createChannel() {
        return createChannel.call();
    }

    void destroyChannel(long channel) {
        destroyChannel.call(channel);
    }

    /// Writes the address of the new id to `id`.
    int createId(long channel, long id, long context, int portSpace) {
        return reason(createId.call(channel, id, context, portSpace));
    }

    /// Waits until every event of it is acknowledged.
    void destroyId(long id) {
        destroyId.call(id);
    }

    int bindAddress(long id, long address) {
        return reason(bindAddress.call(id, address));
    }

    int listen(long id, int backlog) {
        return reason(listen.call(id, backlog));
    }

    int resolveAddress(long id, long source, long destination, int timeoutMs) {
        return reason(resolveAddress.call(id, source, destination, timeoutMs));
    }

    int resolveRoute(long id, int timeoutMs) {
        return reason(resolveRoute.call(id, timeoutMs));
    }

    int connect(long id, long parameters) {
        return reason(connect.call(id, parameters));
    }

    int accept(long id, long parameters) {
        return reason(accept.call(id, parameters));
    }

    int establish(long id) {
        return reason(establish.call(id));
    }

    int reject(long id, long data, int length) {
        return reason(reject.call(id, data, length));
    }

    int disconnect(long id) {
        return reason(disconnect.call(id));
    }

    /// Fills a `struct ibv_qp_attr` for the state that is in it, and the mask.
    int queuePairAttributes(long id, long attributes, long mask) {
        return reason(initQpAttr.call(id, attributes, mask));
    }

    /// Writes the address of the next event to `event`; EAGAIN when there is none.
    int event(long channel, long event) {
        return reason(getEvent.call(channel, event));
    }

    void acknowledge(long event) {
        ackEvent.call(event);
    }

    private static int reason(Answer answer) {
        return answer.value() == 0 ? 0 : answer.errno();
    }
}
