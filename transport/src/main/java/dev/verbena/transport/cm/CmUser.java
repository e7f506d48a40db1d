package dev.verbena.transport.cm;

import dev.verbena.wire.mad.CmRep;

/// The user of a connection. It gets one call when the connection fails or ends, and no call after
/// that.
public interface CmUser {
    /// The passive side agrees: the queue pair is to be made ready, then [CmConnection#confirm]
    /// called, or [CmConnection#reject].
    void replied(CmRep reply);

    /// The passive side knows that the active one is ready.
    void established();

    /// There will be no connection.
    void failed(CmFailure why);

    /// The time set by [CmConnection#keepAlive] is over once more.
    void keepAliveDue();

    /// There was one, and it is over: either side said so.
    void disconnected();
}
