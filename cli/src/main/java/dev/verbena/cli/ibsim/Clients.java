package dev.verbena.cli.ibsim;

import dev.verbena.fabric.manage.MadEnvelope;
import dev.verbena.fabric.manage.ManagementPort;
import dev.verbena.wire.BigEndian;
import dev.verbena.wire.mad.Mad;
import dev.verbena.wire.mad.MadMethod;
import dev.verbena.wire.mad.ManagementClass;
import dev.verbena.wire.mad.Rmpp;
import dev.verbena.wire.mad.SaHeader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The attached programs. Several can be at one host; an answer finds the program that has asked by
/// the two highest bytes of its transaction ID, where the server has put the program's number.
final class Clients {
    private static final int SLOT_AT = 8;

    private final int slots;
    private final Map<Integer, Client> bySlot = new TreeMap<>();
    private final ByteBuffer message = ByteBuffer.allocate(DataMessage.LENGTH);
    private long lost;

    Clients(int slots) {
        this.slots = slots;
    }

    /// Removes programs that have ended without a word.
    void sweep() throws IOException {
        for (Client client : List.copyOf(bySlot.values())) {
            if (client.isGone()) {
                remove(client);
            }
        }
    }

    /// The number of the next program, -1 if there are as many as may be.
    int free() {
        for (int slot = 0; slot < slots; slot++) {
            if (!bySlot.containsKey(slot)) {
                return slot;
            }
        }
        return -1;
    }

    void add(Client client) {
        bySlot.put(client.slot(), client);
        client.port().receiver((envelope, mad) -> receive(client.port(), envelope, mad));
    }

    @Nullable Client get(int slot) {
        return bySlot.get(slot);
    }

    /// Messages that could not be given to a program.
    long lost() {
        return lost;
    }

    /// Says whether a program is a subnet manager; its port is one while it has any.
    void isManager(Client client, boolean is) {
        client.isManager(is);
        client.port().isManager(!managers(client.port()).isEmpty());
    }

    void remove(Client client) throws IOException {
        if (bySlot.remove(client.slot(), client)) {
            isManager(client, false);
            client.close();
        }
    }

    void closeAll() throws IOException {
        for (Client client : List.copyOf(bySlot.values())) {
            remove(client);
        }
    }

    /// The managers of a host.
    private List<Client> managers(ManagementPort port) {
        List<Client> found = new ArrayList<>();
        for (Client client : bySlot.values()) {
            if (client.isManager() && client.port().host() == port.host()) {
                found.add(client);
            }
        }
        return found;
    }

    /// Marks a request with its program's number.
    static void mark(MemorySegment mad, int slot) {
        if (!MadMethod.isResponse(Mad.method(mad, 0))) {
            BigEndian.put16(mad, SLOT_AT, slot);
        }
    }

    /// A datagram has come to a host; returns whether a program takes it.
    private boolean receive(ManagementPort port, MadEnvelope envelope, MemorySegment mad) {
        boolean isResponse = MadMethod.isResponse(Mad.method(mad, 0));
        if (isResponse && !isAcknowledgement(mad)) {
            Client asked = bySlot.get(BigEndian.u16(mad, SLOT_AT));
            if (asked != null && asked.port().host() == port.host()) {
                return send(asked, envelope, 0, mad);
            }
        }
        if (isResponse && !isOfTransfer(mad)) {
            return false;
        }
        // A program whose library does not know the class of a request would end.
        if (!isOfManagers(Mad.managementClass(mad, 0))) {
            return false;
        }
        // They are few. Who asks one that has ended is to get its request back: the preload library
        // has no timeouts, and OpenSM would wait for the answer for ever.
        boolean isOfSubnet = ManagementClass.isSubnetManagement(Mad.managementClass(mad, 0));
        boolean any = false;
        for (Client manager : managers(port)) {
            if (isOfSubnet && isGone(manager)) {
                drop(manager);
            } else {
                any |= send(manager, envelope, 0, mad);
            }
        }
        return any;
    }

    private static boolean isGone(Client client) {
        try {
            return client.isGone();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /// What the receiver of an answer of several datagrams sends has the method of an answer, and
    /// is for the manager, which has no number in it.
    private static boolean isOfTransfer(MemorySegment mad) {
        return Mad.managementClass(mad, 0) == ManagementClass.SUBNET_ADMINISTRATION
                && (SaHeader.RMPP_FLAGS.readInt(mad, 0) & Rmpp.ACTIVE) != 0
                && SaHeader.RMPP_TYPE.readInt(mad, 0) != Rmpp.DATA;
    }

    private static boolean isAcknowledgement(MemorySegment mad) {
        return isOfTransfer(mad) && SaHeader.RMPP_TYPE.readInt(mad, 0) == Rmpp.ACKNOWLEDGE;
    }

    private static boolean isOfManagers(int managementClass) {
        return ManagementClass.isSubnetManagement(managementClass)
                || managementClass == ManagementClass.SUBNET_ADMINISTRATION;
    }

    /// Sends to a program; one that has ended is removed.
    boolean send(Client client, MadEnvelope envelope, int status, MemorySegment mad) {
        DataMessage.write(message, envelope, status, mad);
        try {
            client.write(message);
            return true;
        } catch (IOException gone) {
            lost++;
            drop(client);
            return false;
        }
    }

    private void drop(Client client) {
        try {
            remove(client);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
