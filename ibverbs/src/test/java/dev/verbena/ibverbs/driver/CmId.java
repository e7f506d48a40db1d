package dev.verbena.ibverbs.driver;

import org.jspecify.annotations.Nullable;

/// An id of librdmacm: a listener, or one side of a connection or of a question for datagrams. The
/// two sides know each other, so that no message travels.
final class CmId extends DriverObject {
    static final int ADDRESS_RESOLVED = 0;
    static final int ADDRESS_ERROR = 1;
    static final int ROUTE_RESOLVED = 2;
    static final int REQUEST = 4;
    static final int RESPONSE = 5;
    static final int UNREACHABLE = 7;
    static final int REJECTED = 8;
    static final int ESTABLISHED = 9;
    static final int DISCONNECTED = 10;

    /// IBA 12.6.7.2: no program listens, and a program said no.
    private static final int INVALID_SERVICE = 8;

    private static final int CONSUMER = 28;

    /// IBA 12.11.2: the same for datagrams.
    private static final int UNSUPPORTED = 1;

    private static final int NO = 2;

    private static final int UDP = 0x0111;

    /// How long a refusal takes; so long that a program can give up before.
    private static final long REFUSAL_NS = 500_000_000;

    enum State {
        IDLE,
        BOUND,
        LISTENING,
        RESOLVED,
        ROUTED,
        ASKING,
        ASKED,
        REPLIED,
        CONNECTED,
        LEAVING,
        OVER
    }

    final CmChannel channel;
    final int portSpace;
    final int firstPsn;
    State state = State.IDLE;
    Socket own = Socket.NONE;
    Socket peerAddress = Socket.NONE;
    @Nullable CmId peer;

    /// What it has told its peer of itself.
    CmMessage told = CmMessage.EMPTY;

    CmId(InProcessDriver driver, CmChannel channel, long context, int portSpace) {
        super(driver, Layouts.CM_ID);
        this.channel = channel;
        this.portSpace = portSpace;
        this.firstPsn = (int) ((address * 2_654_435_761L) >>> 8) & 0xFF_FFFF;
        channel.users++;
        Layouts.CM_ID.put(address, "channel", channel.address);
        Layouts.CM_ID.put(address, "context", context);
        Layouts.CM_ID.put(address, "ps", portSpace);
    }

    boolean isDatagram() {
        return portSpace == UDP;
    }

    void require(State wanted) {
        Refusal.unless(state == wanted, Refusal.EINVAL);
    }

    void bind(Socket to, long verbs) {
        own = to;
        state = State.BOUND;
        own.write(address + Layouts.CM_ID.offset("src_addr"));
        Layouts.CM_ID.put(address, "verbs", verbs);
        Layouts.CM_ID.put(address, "port_num", 1);
    }

    void leadTo(Socket to) {
        peerAddress = to;
        peerAddress.write(address + Layouts.CM_ID.offset("dst_addr"));
    }

    void tell(int type, int status, CmMessage message) {
        channel.events.add(new CmChannel.Event(this, this, type, status, message));
    }

    void tell(int type) {
        tell(type, 0, CmMessage.EMPTY);
    }

    /// Its question meets a listener, or none.
    void ask(CmMessage message, @Nullable CmId listener) {
        told = message;
        state = State.ASKING;
        if (listener == null) {
            driver.after(REFUSAL_NS, this::unheard);
            return;
        }
        long context = Layouts.CM_ID.get(listener.address, "context");
        CmId passive = new CmId(driver, listener.channel, context, portSpace);
        passive.bind(listener.own, Layouts.CM_ID.get(listener.address, "verbs"));
        passive.leadTo(own);
        passive.state = State.ASKED;
        passive.peer = this;
        peer = passive;
        listener.channel.events.add(new CmChannel.Event(passive, listener, REQUEST, 0, message));
    }

    private void unheard() {
        if (state == State.ASKING && driver.objects.containsValue(this)) {
            refused(isDatagram() ? UNSUPPORTED : INVALID_SERVICE, CmMessage.EMPTY);
        }
    }

    private void refused(int status, CmMessage message) {
        state = State.OVER;
        peer = null;
        tell(isDatagram() ? UNREACHABLE : REJECTED, status, message);
    }

    /// The program says yes.
    void accept(CmMessage message) {
        require(State.ASKED);
        CmId active = peer;
        if (active == null) {
            throw new Refusal(Refusal.EINVAL);
        }
        told = message;
        if (isDatagram()) {
            state = State.OVER;
            active.state = State.OVER;
            active.tell(ESTABLISHED, 0, message);
        } else {
            state = State.REPLIED;
            active.state = State.REPLIED;
            active.tell(RESPONSE, 0, message);
        }
    }

    /// The active side has made its queue pair ready.
    void establish() {
        require(State.REPLIED);
        CmId passive = peer;
        if (passive == null) {
            throw new Refusal(Refusal.EINVAL);
        }
        state = State.CONNECTED;
        passive.state = State.CONNECTED;
        passive.tell(ESTABLISHED);
    }

    void reject(CmMessage message) {
        Refusal.unless(state == State.ASKED || state == State.REPLIED, Refusal.EINVAL);
        state = State.OVER;
        CmId other = peer;
        peer = null;
        if (other != null) {
            other.refused(isDatagram() ? NO : CONSUMER, message);
        }
    }

    void disconnect() {
        boolean isUp = state == State.CONNECTED || state == State.REPLIED || state == State.LEAVING;
        Refusal.unless(isUp, Refusal.EINVAL);
        CmId other = peer;
        boolean isAnswer = state == State.LEAVING;
        state = State.OVER;
        if (other == null) {
            return;
        }
        if (!isAnswer && other.state != State.OVER) {
            other.state = State.LEAVING;
        }
        other.tell(DISCONNECTED);
        if (isAnswer) {
            peer = null;
        }
    }

    /// Ends it, and tells its peer so.
    void close() {
        switch (state) {
            case ASKED -> reject(CmMessage.of(0, 0, 0));
            case CONNECTED, REPLIED, LEAVING -> disconnect();
            default -> {}
        }
        if (peer != null) {
            peer.peer = null;
            peer = null;
        }
        // Requests that the program has not fetched are refused, and their ids end.
        channel.events.removeIf(this::dropped);
        driver.awaitAcknowledged(this);
        channel.users--;
        free();
    }

    private boolean dropped(CmChannel.Event event) {
        if (event.listener().equals(this) && !event.id().equals(this)) {
            driver.later(event.id()::close);
            return true;
        }
        return event.id().equals(this);
    }
}
