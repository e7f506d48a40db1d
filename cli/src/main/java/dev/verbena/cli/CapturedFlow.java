package dev.verbena.cli;

import dev.verbena.wire.AethSyndrome;
import dev.verbena.wire.Psn;
import dev.verbena.wire.Service;

/// Packets from one address to one queue pair, added up.
///
/// Requests and answers to the peer's requests travel side by side to the same queue pair, with
/// sequence numbers of their own; so there are two numberings to watch.
final class CapturedFlow {
    private static final int NONE = -1;

    private final Key key;
    private long packets;
    private long payloadBytes;
    private int firstPsn = NONE;
    private int newestRequestPsn = NONE;
    private int newestResponsePsn = NONE;
    private long retransmissions;
    private long sequenceNaks;
    private long fatalNaks;
    private long receiverNotReady;
    private long congestionMarks;
    private long congestionNotifications;
    private long wrongChecksums;

    /// The sender and the receiver.
    record Key(String source, String destination, int destQp, Service service) {}

    CapturedFlow(Key key) {
        this.key = key;
    }

    void addPacket(int bytes) {
        packets++;
        payloadBytes += bytes;
    }

    void addRequest(int psn) {
        firstPsn = firstPsn == NONE ? psn : firstPsn;
        if (newestRequestPsn != NONE && Psn.distance(psn, newestRequestPsn) <= 0) {
            retransmissions++;
        } else {
            newestRequestPsn = psn;
        }
    }

    /// A READ response or atomic answer; plain acknowledgements are repeated without harm.
    void addDataResponse(int psn) {
        if (newestResponsePsn != NONE && Psn.distance(psn, newestResponsePsn) <= 0) {
            retransmissions++;
        } else {
            newestResponsePsn = psn;
        }
    }

    void addSyndrome(int syndrome) {
        switch (AethSyndrome.kind(syndrome)) {
            case RNR_NAK -> receiverNotReady++;
            case NAK -> {
                sequenceNaks += syndrome == AethSyndrome.NAK_SEQUENCE ? 1 : 0;
                fatalNaks += syndrome == AethSyndrome.NAK_SEQUENCE ? 0 : 1;
            }
            case ACK, RESERVED -> {}
        }
    }

    void addCongestionMark() {
        congestionMarks++;
    }

    void addCongestionNotification() {
        congestionNotifications++;
    }

    void addWrongChecksum() {
        wrongChecksums++;
    }

    Key key() {
        return key;
    }

    long packets() {
        return packets;
    }

    long payloadBytes() {
        return payloadBytes;
    }

    /// The first request's number, or -1 when there was none.
    int firstPsn() {
        return firstPsn;
    }

    int newestPsn() {
        return newestRequestPsn;
    }

    long retransmissions() {
        return retransmissions;
    }

    long sequenceNaks() {
        return sequenceNaks;
    }

    long fatalNaks() {
        return fatalNaks;
    }

    long receiverNotReady() {
        return receiverNotReady;
    }

    long congestionMarks() {
        return congestionMarks;
    }

    long congestionNotifications() {
        return congestionNotifications;
    }

    long wrongChecksums() {
        return wrongChecksums;
    }
}
