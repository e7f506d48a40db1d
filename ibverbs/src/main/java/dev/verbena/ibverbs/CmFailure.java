package dev.verbena.ibverbs;

import dev.verbena.verbs.ConnectionFailedException;
import dev.verbena.verbs.ConnectionFailedException.Reason;
import dev.verbena.verbs.spi.ConnectionRefusals;

/// The reason why there is no connection, or no datagram queue pair, and the private data of the
/// peer's program.
final class CmFailure {
    private static final byte[] NOTHING = {};

    final Reason reason;
    private final String what;
    private final byte[] data;

    CmFailure(Reason reason, String what, byte... data) {
        this.reason = reason;
        this.what = what;
        this.data = data;
    }

    /// Of a request for a connection.
    static CmFailure ofConnection(CmEvent event) {
        int status = event.status();
        if (event.type() != CmEvent.REJECTED || status <= 0) {
            return ofLinux(status);
        }
        Reason reason = ConnectionRefusals.reasonOfRejection(status);
        boolean hasData = reason == Reason.REJECTED || reason == Reason.OTHER;
        return new CmFailure(
                reason,
                ConnectionRefusals.ofConnection(reason, "the peer refused, with reason " + status),
                hasData ? event.privateData() : NOTHING);
    }

    /// Of a question for datagrams.
    static CmFailure ofQuestion(CmEvent event) {
        int status = event.status();
        if (status <= 0) {
            return ofLinux(status);
        }
        Reason reason = ConnectionRefusals.reasonOfAnswer(status);
        return new CmFailure(
                reason,
                ConnectionRefusals.ofQuestion(reason, "the peer refused, with status " + status),
                event.privateData());
    }

    /// The error of the kernel itself, as a negative number.
    static CmFailure ofLinux(int status) {
        int errno = Math.abs(status);
        return isSilence(errno)
                ? new CmFailure(
                        Reason.NO_ANSWER,
                        "the peer did not reply; check the address, and that UDP port 4791 is open;"
                                + " "
                                + Errno.text(errno),
                        NOTHING)
                : new CmFailure(Reason.OTHER, "Linux refused: " + Errno.text(errno), NOTHING);
    }

    /// Whether it is for want of a peer, not of our own.
    static boolean isSilence(int errno) {
        return switch (errno) {
            case Errno.ETIMEDOUT, Errno.EHOSTUNREACH, Errno.ENETUNREACH -> true;
            default -> false;
        };
    }

    String what() {
        return what;
    }

    byte[] data() {
        return data;
    }

    ConnectionFailedException explain(String who) {
        return new ConnectionFailedException(who + ": " + what, reason, data);
    }
}
