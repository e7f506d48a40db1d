package dev.verbena.ibverbs;

import dev.verbena.verbs.ConnectionFailedException;
import dev.verbena.verbs.ConnectionFailedException.Reason;

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

    /// Of a request for a connection; refusals are numbered as in IBA 12.6.7.2.
    static CmFailure ofConnection(CmEvent event) {
        int status = event.status();
        if (event.type() != CmEvent.REJECTED || status <= 0) {
            return ofLinux(status);
        }
        byte[] data = event.privateData();
        return switch (status) {
            case 1, 3 ->
                    new CmFailure(
                            Reason.NO_RESOURCES, "the peer has no room for it; try again later");
            case 8 ->
                    new CmFailure(
                            Reason.NOBODY_LISTENS,
                            "no program listens on this port; start the listener first");
            case 10 ->
                    new CmFailure(
                            Reason.STALE,
                            "the peer still holds an older connection of this queue pair; try again"
                                    + " with a new one");
            case 28 -> new CmFailure(Reason.REJECTED, "the peer's program refused", data);
            default -> new CmFailure(Reason.OTHER, "the peer refused, with reason " + status, data);
        };
    }

    /// Of a question for datagrams; answers are numbered as in IBA 12.11.2.
    static CmFailure ofQuestion(CmEvent event) {
        byte[] data = event.privateData();
        return switch (event.status()) {
            case 1 ->
                    new CmFailure(
                            Reason.NOBODY_LISTENS,
                            "no program listens for datagrams on this port; start the listener"
                                    + " first");
            case 2 -> new CmFailure(Reason.REJECTED, "the peer's program refused", data);
            case 3 ->
                    new CmFailure(
                            Reason.NO_RESOURCES,
                            "the peer has no queue pair for it now; try again later",
                            data);
            default ->
                    event.status() <= 0
                            ? ofLinux(event.status())
                            : new CmFailure(
                                    Reason.OTHER,
                                    "the peer refused, with status " + event.status(),
                                    data);
        };
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

    ConnectionFailedException explain(String who) {
        return new ConnectionFailedException(who + ": " + what, reason, data);
    }
}
