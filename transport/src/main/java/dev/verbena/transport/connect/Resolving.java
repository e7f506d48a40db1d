package dev.verbena.transport.connect;

import dev.verbena.transport.cm.CmMachine;
import dev.verbena.transport.cm.SidrQuestion;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.DatagramListener;
import dev.verbena.verbs.LimitExceededException;
import dev.verbena.verbs.Resolution;
import dev.verbena.verbs.spi.ConnectionRules;
import dev.verbena.verbs.spi.FreePort;
import dev.verbena.wire.Payload;
import dev.verbena.wire.mad.CmSidrReq;
import dev.verbena.wire.mad.RdmaCmHeader;
import dev.verbena.wire.mad.ServiceId;

/// How programs find each other's datagram queue pairs.
public final class Resolving {
    private static final int MOST_DATA = CmSidrReq.PRIVATE_DATA_LENGTH - RdmaCmHeader.LENGTH;

    private Resolving() {}

    public static DatagramListener listen(Connections connections, int port, int backlog) {
        if (port == 0) {
            ConnectionRules.requirePort(connections.device.name, 1, backlog);
            return FreePort.listen(
                    connections.settings.random, it -> listen(connections, it, backlog));
        }
        CmMachine machine = connections.machine();
        ConnectionRules.requirePort(connections.device.name, port, backlog);
        TransportDatagramListener listener =
                new TransportDatagramListener(connections, port, backlog);
        long service = ServiceId.ofUdp(port);
        if (!machine.datagrams().listen(service, listener)) {
            throw ConnectionRules.datagramPortTaken(connections.device.name, port);
        }
        try {
            Connecting.claim(connections, service, port);
        } catch (RuntimeException refused) {
            machine.datagrams().unlisten(service);
            throw refused;
        }
        connections.device.reach(1);
        return listener;
    }

    public static Resolution resolve(
            Connections connections, Address address, int port, byte[] privateData) {
        CmMachine machine = connections.machine();
        ConnectionRules.requirePort(connections.device.name, port, 1);
        Connecting.requireWay(connections, address);
        Payload data = ConnectionSetup.privateData(connections.device.name, MOST_DATA, privateData);
        RdmaCmHeader header =
                ConnectionSetup.header(
                        connections.settings, address, Connecting.freshPort(connections.settings));
        TransportResolution made = new TransportResolution(connections, address, port);
        SidrQuestion asked =
                machine.datagrams()
                        .ask(
                                connections.device.nowNs(),
                                address,
                                ServiceId.ofUdp(port),
                                connections.settings.port.now().partitionKey(0),
                                header.with(data),
                                made);
        if (asked == null) {
            throw new LimitExceededException(
                    connections.device.name,
                    "it asks " + machine.datagrams().questions() + " peers already",
                    "wait for their answers, or close some");
        }
        made.begun(asked);
        connections.managedByProgram();
        return made;
    }
}
