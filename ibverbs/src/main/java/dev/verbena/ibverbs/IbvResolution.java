package dev.verbena.ibverbs;

import dev.verbena.verbs.Address;
import dev.verbena.verbs.ConnectionFailedException;
import dev.verbena.verbs.Resolution;
import dev.verbena.verbs.spi.ConnectionRules;
import dev.verbena.verbs.spi.ObjectNames;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A question for a datagram queue pair as programs see it.
final class IbvResolution extends Awaited implements Resolution, CmUser {
    private final Address address;
    private final String target;
    private final byte[] request;
    private final CmId id;
    private volatile @Nullable CmEvent answer;
    private @Nullable CmFailure failure;
    private volatile State state = State.ASKING;

    IbvResolution(Connections home, Address address, int port, byte[] request) {
        super(home.device);
        this.address = address;
        this.target = ObjectNames.datagramPort(address.gid(), port);
        this.request = request;
        this.id = home.id(CmStructs.Id.UDP, this);
    }

    void begin(SocketAddress own, SocketAddress there) {
        int reason = id.resolveAddress(own, there);
        if (CmFailure.isSilence(reason)) {
            fail(CmFailure.ofLinux(reason));
        } else if (reason != 0) {
            id.end();
            throw Errno.refusal(device.name(), "a path to " + target, reason);
        }
    }

    @Override
    public void happened(CmEvent event) {
        if (event.isFailure()) {
            answer = event;
            fail(CmFailure.ofQuestion(event));
            return;
        }
        switch (event.type()) {
            case CmEvent.ADDRESS_RESOLVED -> go(id.resolveRoute());
            case CmEvent.ROUTE_RESOLVED -> go(id.connect(new CmParameters(request)));
            case CmEvent.ESTABLISHED -> {
                answer = event;
                leave(State.RESOLVED);
            }
            case CmEvent.DEVICE_REMOVAL -> fail(CmFailure.ofLinux(Errno.ENODEV));
            default -> {}
        }
    }

    private void go(int reason) {
        if (reason != 0) {
            fail(CmFailure.ofLinux(reason));
        }
    }

    private void fail(CmFailure why) {
        failure = why;
        leave(State.FAILED);
    }

    private void leave(State last) {
        id.end();
        state = last;
        rouse();
    }

    @Override
    public State state() {
        return state;
    }

    @Override
    public boolean await(Duration timeout) throws ConnectionFailedException {
        if (!await(timeout, () -> state != State.ASKING)) {
            return false;
        }
        if (state == State.GIVEN_UP) {
            throw ConnectionRules.closedQuestion(this);
        }
        CmFailure why = failure;
        if (why != null) {
            throw why.explain(device.name() + " to " + target);
        }
        return true;
    }

    @Override
    public Address address() {
        return address;
    }

    @Override
    public int queuePair() {
        return resolved().queuePair();
    }

    @Override
    public int queueKey() {
        return resolved().queueKey();
    }

    private CmEvent resolved() {
        CmEvent said = answer;
        if (state != State.RESOLVED || said == null) {
            throw ConnectionRules.unresolved(this);
        }
        return said;
    }

    @Override
    public byte[] privateData() {
        CmEvent said = answer;
        return said == null ? new byte[0] : said.privateData().clone();
    }

    @Override
    public void close() {
        device.context.lock.lock();
        try {
            if (state == State.ASKING) {
                leave(State.GIVEN_UP);
            }
        } finally {
            device.context.lock.unlock();
        }
    }

    @Override
    public void deviceCloses() {
        close();
    }

    @Override
    public String toString() {
        return ObjectNames.resolution(target);
    }
}
