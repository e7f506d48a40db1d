package dev.verbena.transport;

import dev.verbena.transport.cm.CmConnection;
import dev.verbena.transport.cm.CmMachine;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.Connection;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.LimitExceededException;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.Listener;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.WrongStateException;
import dev.verbena.verbs.spi.FreePort;
import dev.verbena.wire.Payload;
import dev.verbena.wire.mad.CmReq;
import dev.verbena.wire.mad.RdmaCmHeader;
import dev.verbena.wire.mad.ServiceId;

/// How programs begin connections.
final class Connecting {
    private static final int MOST_DATA = CmReq.PRIVATE_DATA_LENGTH - RdmaCmHeader.LENGTH;

    private Connecting() {}

    static Listener listen(TransportDevice device, int port, int backlog) {
        if (port == 0) {
            requirePort(device, 1, backlog);
            return FreePort.listen(
                    device.engine().options.random, it -> listen(device, it, backlog));
        }
        requirePort(device, port, backlog);
        CmMachine machine = device.engine().services.connections();
        TransportListener listener = new TransportListener(device, port, backlog);
        long service = ServiceId.ofTcp(port);
        if (!machine.listen(service, listener)) {
            throw new InvalidRequestException(
                    device.name(),
                    "a listener already exists on port " + port,
                    "use another, or close it");
        }
        try {
            claim(device, service, port);
        } catch (RuntimeException refused) {
            machine.unlisten(service);
            throw refused;
        }
        device.reach(1);
        return listener;
    }

    static Connection connect(
            TransportDevice device,
            TransportQueuePair pair,
            Address address,
            int port,
            byte[] privateData) {
        CmMachine machine = device.engine().services.connections();
        if (pair.type() == QueuePairType.UD) {
            throw new InvalidRequestException(
                    pair.toString(), "datagrams have no peer to connect to", "use RC or UC");
        }
        if (pair.state() != QueuePairState.INIT || pair.connection != null) {
            throw new WrongStateException(
                    pair.toString(),
                    "it is in " + pair.state().symbol() + " or has a connection",
                    "connect a new queue pair");
        }
        Engine engine = device.engine();
        requireWay(device, address);
        Payload data = ConnectionSetup.privateData(pair, MOST_DATA, privateData);
        ConnectionSetup setup = new ConnectionSetup(engine, pair);
        TransportConnection made =
                new TransportConnection(device, pair, setup, address.gid(), port);
        int from = freshPort(engine);
        CmConnection begun =
                machine.connect(
                        engine.options.driver.nowNs(),
                        address,
                        setup.request(address, port, from, data),
                        made);
        if (begun == null) {
            throw new LimitExceededException(
                    device.name(),
                    "it manages " + machine.size() + " connections already",
                    "close some; those that are over are forgotten within a second");
        }
        made.begun(begun);
        pair.isFor(made);
        device.managedByProgram();
        return made;
    }

    static void requirePort(TransportDevice device, int port, int backlog) {
        if (port < 1 || port > 0xFFFF || backlog < 1) {
            throw new InvalidRequestException(
                    device.name(),
                    "port " + port + " with a backlog of " + backlog,
                    "use port 1 to 65535 and a backlog of at least 1");
        }
    }

    /// Nothing here turns an IP address or a GID into a LID, and a packet without one goes nowhere.
    static void requireWay(TransportDevice device, Address address) {
        if (device.engine().options.port.linkLayer() == LinkLayer.INFINIBAND
                && address.lid() == 0) {
            throw new InvalidRequestException(
                    device.name(),
                    "on InfiniBand a peer is found by its LID, and " + address.gid() + " has none",
                    "use Address.to(endpoint), with the peer's endpoint");
        }
    }

    /// A source port; only programs use it.
    static int freshPort(Engine engine) {
        return FreePort.any(engine.options.random);
    }

    /// Requests name only a service: all devices that share an address must agree which of them
    /// owns it.
    static void claim(TransportDevice device, long service, int port) {
        if (!device.engine().options.driver.claimed(service)) {
            throw new InvalidRequestException(
                    device.name(),
                    "another device at this address listens at port " + port,
                    "use another port, or close that listener");
        }
    }
}
