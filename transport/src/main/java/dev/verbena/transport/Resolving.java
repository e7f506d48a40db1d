package dev.verbena.transport;

import dev.verbena.transport.cm.CmMachine;
import dev.verbena.transport.cm.SidrQuestion;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.DatagramListener;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.LimitExceededException;
import dev.verbena.verbs.Resolution;
import dev.verbena.verbs.spi.FreePort;
import dev.verbena.wire.Payload;
import dev.verbena.wire.mad.CmSidrReq;
import dev.verbena.wire.mad.RdmaCmHeader;
import dev.verbena.wire.mad.ServiceId;

/// How programs find each other's datagram queue pairs.
final class Resolving {
    private static final int MOST_DATA = CmSidrReq.PRIVATE_DATA_LENGTH - RdmaCmHeader.LENGTH;

    private Resolving() {}

    static DatagramListener listen(TransportDevice device, int port, int backlog) {
        if (port == 0) {
            Connecting.requirePort(device, 1, backlog);
            return FreePort.listen(
                    device.engine().options.random, it -> listen(device, it, backlog));
        }
        CmMachine machine = device.engine().services.connections();
        Connecting.requirePort(device, port, backlog);
        TransportDatagramListener listener = new TransportDatagramListener(device, port, backlog);
        long service = ServiceId.ofUdp(port);
        if (!machine.datagrams().listen(service, listener)) {
            throw new InvalidRequestException(
                    device.name(),
                    "a datagram listener already exists on port " + port,
                    "use another, or close it");
        }
        try {
            Connecting.claim(device, service, port);
        } catch (RuntimeException refused) {
            machine.datagrams().unlisten(service);
            throw refused;
        }
        device.reach(1);
        return listener;
    }

    static Resolution resolve(
            TransportDevice device, Address address, int port, byte[] privateData) {
        CmMachine machine = device.engine().services.connections();
        Connecting.requirePort(device, port, 1);
        Connecting.requireWay(device, address);
        Engine engine = device.engine();
        Payload data = ConnectionSetup.privateData(device, MOST_DATA, privateData);
        RdmaCmHeader header = ConnectionSetup.header(engine, address, Connecting.freshPort(engine));
        TransportResolution made = new TransportResolution(device, address, port);
        SidrQuestion asked =
                machine.datagrams()
                        .ask(
                                engine.options.driver.nowNs(),
                                address,
                                ServiceId.ofUdp(port),
                                engine.options.partitionKeys.getFirst(),
                                header.with(data),
                                made);
        if (asked == null) {
            throw new LimitExceededException(
                    device.name(),
                    "it asks " + machine.datagrams().questions() + " peers already",
                    "wait for their answers, or close some");
        }
        made.begun(asked);
        device.managedByProgram();
        return made;
    }
}
