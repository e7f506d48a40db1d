package dev.verbena.fabric.manage;

/// What stands around a management datagram.
///
/// @param destinationLid 0xFFFF for a directed route from its first hop on
/// @param sourceLid 0 when it is sent: the LID of the sender
public record MadEnvelope(
        int destinationLid, int sourceLid, int destinationQueuePair, int sourceQueuePair) {
    /// Of a datagram that goes by the ports it names.
    public static final MadEnvelope DIRECTED = new MadEnvelope(0xFFFF, 0xFFFF, 0, 0);

    /// Of an answer.
    @SuppressWarnings("ArgumentSelectionDefectChecker") // The two ends change places.
    public MadEnvelope back() {
        return new MadEnvelope(sourceLid, destinationLid, sourceQueuePair, destinationQueuePair);
    }

    MadEnvelope from(int lid) {
        return new MadEnvelope(destinationLid, lid, destinationQueuePair, sourceQueuePair);
    }
}
