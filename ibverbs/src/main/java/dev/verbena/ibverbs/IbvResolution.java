package dev.verbena.ibverbs;

import dev.verbena.verbs.Address;
import dev.verbena.verbs.spi.DatagramQuestion;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/// A question for a datagram queue pair as programs see it.
final class IbvResolution extends DatagramQuestion implements CmUser {
    private final IbvDevice device;
    private final Awaited waiting;
    private final byte[] request;
    private final CmId id;

    IbvResolution(Connections home, Address address, int port, byte[] request) {
        super(home.device.name(), address, port);
        this.device = home.device;
        this.waiting = new Awaited(device);
        this.request = request;
        this.id = home.id(CmStructs.Id.UDP, this);
    }

    void begin(SocketAddress own, SocketAddress there) {
        int reason = id.resolveAddress(own, there);
        if (CmFailure.isSilence(reason)) {
            fail(CmFailure.ofLinux(reason));
        } else if (reason != 0) {
            id.end();
            throw Errno.refusal(device.name(), "a path to " + target(), reason);
        }
    }

    @Override
    public void happened(CmEvent event) {
        if (event.isFailure()) {
            fail(CmFailure.ofQuestion(event));
            return;
        }
        switch (event.type()) {
            case CmEvent.ADDRESS_RESOLVED -> go(id.resolveRoute());
            case CmEvent.ROUTE_RESOLVED -> go(id.connect(new CmParameters(request)));
            case CmEvent.ESTABLISHED ->
                    resolved(event.queuePair(), event.queueKey(), event.privateData());
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
        failed(why.reason, why::what, why.data());
    }

    @Override
    protected void decided() {
        id.end();
        waiting.rouse();
    }

    @Override
    protected boolean awaitDecision(Duration timeout, BooleanSupplier isDecided) {
        return waiting.await(timeout, isDecided);
    }

    @Override
    public void close() {
        device.context.lock.lock();
        try {
            if (state() == State.ASKING) {
                givenUp();
            }
        } finally {
            device.context.lock.unlock();
        }
    }

    @Override
    public void deviceCloses() {
        close();
    }
}
