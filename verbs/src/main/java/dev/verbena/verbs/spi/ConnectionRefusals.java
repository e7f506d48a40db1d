package dev.verbena.verbs.spi;

import dev.verbena.verbs.ConnectionFailedException;
import dev.verbena.verbs.ConnectionFailedException.Reason;

/// Explanations of connections and of questions for datagrams that failed.
///
/// A provider maps the message of the peer to a [Reason]. `target` names both ends.
public final class ConnectionRefusals {
    private ConnectionRefusals() {}

    /// The reason of a peer that rejects a request for a connection, by its number in IBA 12.6.7.2.
    public static Reason reasonOfRejection(int code) {
        return switch (code) {
            case 1, 3 -> Reason.NO_RESOURCES;
            case 8 -> Reason.NOBODY_LISTENS;
            case 10 -> Reason.STALE;
            case 28 -> Reason.REJECTED;
            default -> Reason.OTHER;
        };
    }

    /// The reason of a peer that answers a question for datagrams without a queue pair, by its
    /// status in IBA 12.11.2.
    public static Reason reasonOfAnswer(int status) {
        return switch (status) {
            case 1 -> Reason.NOBODY_LISTENS;
            case 2 -> Reason.REJECTED;
            case 3 -> Reason.NO_RESOURCES;
            default -> Reason.OTHER;
        };
    }

    /// Why there is no connection.
    ///
    /// @param otherwise the provider's words for a reason that is its own: no answer, or another
    public static String ofConnection(Reason reason, String otherwise) {
        return switch (reason) {
            case NOBODY_LISTENS -> "no program listens on this port; start the listener first";
            case REJECTED -> "the peer's program refused";
            case STALE ->
                    "the peer still holds an older connection of this queue pair; try again with a"
                            + " new one";
            case NO_RESOURCES -> "the peer has no room for it; try again later";
            case NO_ANSWER, OTHER -> otherwise;
        };
    }

    /// Why a question for a datagram queue pair has no answer.
    ///
    /// @param otherwise as in [#ofConnection]
    public static String ofQuestion(Reason reason, String otherwise) {
        return switch (reason) {
            case NOBODY_LISTENS ->
                    "no program listens for datagrams on this port; start the listener first";
            case REJECTED -> "the peer's program refused";
            case NO_RESOURCES -> "the peer has no queue pair for it now; try again later";
            case STALE, NO_ANSWER, OTHER -> otherwise;
        };
    }

    /// The connection ended before it was established, by an act of this program.
    public static ConnectionFailedException endedEarly(String target) {
        return new ConnectionFailedException(
                target + ": closed or failed before it was connected", Reason.OTHER, new byte[0]);
    }
}
