package dev.verbena.subnet;

import dev.verbena.wire.mad.Mad;
import dev.verbena.wire.mad.MadMethod;
import dev.verbena.wire.mad.SmInfo;
import dev.verbena.wire.mad.Smp;
import java.lang.foreign.MemorySegment;

/// A manager that waits while another one leads: it answers SMInfo, and changes nothing.
///
/// Call [#transmit] after each other call until it returns false.
public final class Standby {
    private final Traffic traffic;
    private final long guid;

    /// @param guid of the manager's port
    public Standby(ManagerSettings settings, long guid) {
        traffic = new Traffic(settings.priority());
        this.guid = guid;
    }

    /// Takes a datagram that has come to queue pair 0 or 1 of the manager's port.
    ///
    /// @param sourceLid the LID of its sender; without meaning for directed routes
    /// @param mad 256 bytes, which are not read after the call
    public SmVerdict handle(int sourceLid, MemorySegment mad) {
        if (mad.byteSize() != Mad.LENGTH_TOTAL || !Smp.check(mad, 0, Mad.LENGTH_TOTAL).isOk()) {
            return SmVerdict.MALFORMED;
        }
        int method = Mad.method(mad, 0);
        boolean isQuestion = method == MadMethod.GET || method == MadMethod.SET;
        if (!isQuestion || Mad.attributeId(mad, 0) != SmInfo.ATTRIBUTE_ID) {
            return SmVerdict.FOREIGN;
        }
        int state = ManagerRole.STANDBY.code();
        traffic.answerInfo(sourceLid, mad, guid, state, method == MadMethod.GET);
        return SmVerdict.OK;
    }

    /// Sends one datagram, if there is one.
    public boolean transmit(DatagramSink sink) {
        return traffic.send(sink);
    }
}
