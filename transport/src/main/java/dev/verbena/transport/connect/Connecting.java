package dev.verbena.transport.connect;

import dev.verbena.transport.cm.CmConnection;
import dev.verbena.transport.cm.CmMachine;
import dev.verbena.transport.common.DeviceSettings;
import dev.verbena.transport.pair.QueuePairCore;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.Connection;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.LimitExceededException;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.Listener;
import dev.verbena.verbs.spi.ConnectionRules;
import dev.verbena.verbs.spi.FreePort;
import dev.verbena.wire.Payload;
import dev.verbena.wire.mad.CmReq;
import dev.verbena.wire.mad.RdmaCmHeader;
import dev.verbena.wire.mad.ServiceId;

/// How programs begin connections.
public final class Connecting {
    private static final int MOST_DATA = CmReq.PRIVATE_DATA_LENGTH - RdmaCmHeader.LENGTH;

    private Connecting() {}

    public static Listener listen(Connections connections, int port, int backlog) {
        if (port == 0) {
            ConnectionRules.requirePort(connections.device.name, 1, backlog);
            return FreePort.listen(
                    connections.settings.random, it -> listen(connections, it, backlog));
        }
        ConnectionRules.requirePort(connections.device.name, port, backlog);
        CmMachine machine = connections.machine();
        TransportListener listener = new TransportListener(connections, port, backlog);
        long service = ServiceId.ofTcp(port);
        if (!machine.listen(service, listener)) {
            throw ConnectionRules.portTaken(connections.device.name, port);
        }
        try {
            claim(connections, service, port);
        } catch (RuntimeException refused) {
            machine.unlisten(service);
            throw refused;
        }
        connections.device.reach(1);
        return listener;
    }

    public static Connection connect(
            Connections connections,
            QueuePairCore pair,
            Address address,
            int port,
            byte[] privateData) {
        CmMachine machine = connections.machine();
        ConnectionRules.requireConnectable(pair, "use RC or UC");
        ConnectionRules.requireUnconnected(pair, pair.connection != null);
        requireWay(connections, address);
        Payload data = ConnectionSetup.privateData(pair, MOST_DATA, privateData);
        ConnectionSetup setup = new ConnectionSetup(connections.settings, pair);
        int from = freshPort(connections.settings);
        TransportConnection made =
                new TransportConnection(connections, pair, setup, address.gid(), port, from);
        CmConnection begun =
                machine.connect(
                        connections.device.nowNs(),
                        address,
                        setup.request(address, port, from, data),
                        made);
        if (begun == null) {
            throw new LimitExceededException(
                    connections.device.name,
                    "it manages " + machine.size() + " connections already",
                    "close some; those that are over are forgotten within a second");
        }
        made.begun(begun);
        pair.isFor(made);
        connections.managedByProgram();
        return made;
    }

    /// Nothing here turns an IP address or a GID into a LID, and a packet without one goes nowhere.
    static void requireWay(Connections connections, Address address) {
        if (connections.settings.port.now().attributes().linkLayer() == LinkLayer.INFINIBAND
                && address.lid() == 0) {
            throw new InvalidRequestException(
                    connections.device.name,
                    "on InfiniBand a peer is found by its LID, and " + address.gid() + " has none",
                    "use Address.to(endpoint), with the peer's endpoint");
        }
    }

    /// A source port; only programs use it.
    static int freshPort(DeviceSettings settings) {
        return FreePort.any(settings.random);
    }

    /// Requests name only a service: all devices that share an address must agree which of them
    /// owns it.
    static void claim(Connections connections, long service, int port) {
        if (!connections.settings.driver.claimed(service)) {
            throw new InvalidRequestException(
                    connections.device.name,
                    "another device at this address listens at port " + port,
                    "use another port, or close that listener");
        }
    }
}
