package dev.verbena.transport.reliable;

import dev.verbena.wire.Psn;

/// The sequence numbers that a requester has sent: which of them are acknowledged, and up to where
/// an answer was asked for.
///
/// ```
///   done │ sent, unacknowledged │ to send
///        ▲                      ▲          ▲
///    unackedPsn              sendPsn     topPsn: the end of all that was ever sent
///                                        (beyond sendPsn after going back)
/// ```
abstract class SentLedger {
    private int unackedPsn;
    private int sendPsn;
    private int topPsn;

    /// The end of the packets in flight that were sent with a request for an acknowledgement.
    private int askedPsn;

    /// Nothing was sent yet; this is the first number.
    void startAt(int psn) {
        unackedPsn = psn;
        sendPsn = psn;
        topPsn = psn;
        askedPsn = psn;
    }

    final int unackedPsn() {
        return unackedPsn;
    }

    final int sendPsn() {
        return sendPsn;
    }

    /// Sequence numbers in flight, up to half of their space.
    final int outstanding() {
        return Psn.plus(sendPsn, -unackedPsn);
    }

    /// Whether anything was sent that is not yet acknowledged, since it last went back.
    final boolean isInFlight() {
        return sendPsn != unackedPsn;
    }

    /// Whether a sequence number belongs to something that was sent and is not yet acknowledged.
    final boolean isOutstanding(int psn) {
        return Psn.distance(psn, unackedPsn) >= 0 && Psn.distance(psn, topPsn) < 0;
    }

    /// Whether the peer may expect this one next: the first that is not acknowledged, or a later
    /// one, up to the one to be sent.
    final boolean isExpected(int psn) {
        return Psn.distance(psn, unackedPsn) >= 0 && Psn.distance(psn, topPsn) <= 0;
    }

    /// Whether the next packet was sent before.
    final boolean isRepetition() {
        return Psn.distance(sendPsn, topPsn) < 0;
    }

    /// Whether the peer owes an answer for something in flight.
    final boolean isAnswerDue() {
        int asked = Psn.plus(askedPsn, -unackedPsn);
        return asked > 0 && asked <= outstanding();
    }

    /// Whether something is in flight that no answer was asked for.
    final boolean isUnasked() {
        return outstanding() > 0 && askedPsn != sendPsn;
    }

    /// A packet left that takes so many numbers.
    void sent(int numbers, boolean isAsked) {
        boolean isFirstTime = sendPsn == topPsn;
        sendPsn = Psn.plus(sendPsn, numbers);
        // A READ can be half of the number space long, where the distance says nothing.
        if (isFirstTime || Psn.distance(sendPsn, topPsn) > 0) {
            topPsn = sendPsn;
        }
        if (isAsked) {
            askedPsn = sendPsn;
        }
    }

    /// An answer to all that is in flight was asked for.
    final void askedForAll() {
        askedPsn = sendPsn;
    }

    /// The next packet is this one.
    final void moveTo(int psn) {
        sendPsn = psn;
        askedPsn = psn;
    }

    /// Everything before this number is acknowledged; returns how many numbers more than before.
    int acknowledge(int psn) {
        int more = Math.max(0, Psn.distance(psn, unackedPsn));
        unackedPsn = Psn.plus(unackedPsn, more);
        return more;
    }
}
