package dev.verbena.verbs.spi;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.SendBatch;
import dev.verbena.verbs.WrongStateException;

/// Rules for work requests. A provider calls them while a program fills a batch, so that every
/// mistake is found during the call; the device would report one error for all of them.
///
/// `who` is the owner of the queue: a message begins with its name and the kind of the request. A
/// rule that holds costs a comparison; texts are made only for a refusal.
public final class WorkRules {
    private WorkRules() {}

    /// A refusal that names the queue and the kind of the request.
    public static InvalidRequestException refused(
            Object who, WorkKind kind, String problem, String remedy) {
        return new InvalidRequestException(who + ", " + kind.title(), problem, remedy);
    }

    /// The batch has ended: a program takes a new one for each post.
    public static WrongStateException batchEnded() {
        return new WrongStateException(
                "batch",
                "it was posted or given up",
                "begin the next one with sends() or receives()");
    }

    /// A setting came before the request that it is for.
    public static InvalidRequestException nothingBegun(Object who) {
        return new InvalidRequestException(
                who.toString(), "no request was begun", "begin one with send() or another");
    }

    /// The same for a batch of receive requests.
    public static InvalidRequestException noReceiveBegun(Object who) {
        return new InvalidRequestException(
                who.toString(), "no request was begun", "begin one with receive()");
    }

    /// The service lacks the kind of request; see [WorkKind#isIn].
    public static InvalidRequestException notInService(
            Object who, WorkKind kind, QueuePairType type) {
        return refused(
                who, kind, "the service " + type + " does not have it", "use another, or RC");
    }

    /// A window, region or address handle of another protection domain.
    public static InvalidRequestException foreign(Object who, WorkKind kind, Object given) {
        return refused(
                who,
                kind,
                given + " belongs to another protection domain",
                "use an object of this queue's domain");
    }

    /// Checks the local memory that a request names.
    ///
    /// @param region for the message
    /// @param size bytes of the region
    /// @param rights bits of the region's rights
    public static void requireLocal(
            Object who,
            WorkKind kind,
            Object region,
            long size,
            int rights,
            long offset,
            long length) {
        requireInside(who, kind, region, size, offset, length);
        if (kind.isLocal()) {
            throw refused(who, kind, "it moves no bytes", "leave local() out");
        }
        if (kind.fillsLocal() && (rights & Access.LOCAL_WRITE.bit()) == 0) {
            throw notWritable(who, kind, region);
        }
    }

    static void requireInside(
            Object who, WorkKind kind, Object region, long size, long offset, long length) {
        if (offset < 0 || length < 0 || offset > size - length) {
            throw refused(
                    who,
                    kind,
                    "no bytes %d to %d in %s".formatted(offset, offset + length, region),
                    "stay inside the region");
        }
    }

    static InvalidRequestException notWritable(Object who, WorkKind kind, Object region) {
        return refused(who, kind, region + " may not be written", "give it LOCAL_WRITE");
    }

    /// Checks that one more piece of memory fits.
    ///
    /// @param remedy how the provider takes more pieces
    public static void requirePiece(
            Object who, WorkKind kind, int pieces, int most, String remedy) {
        if (pieces == most) {
            throw refused(who, kind, "more than " + pieces + " pieces of memory", remedy);
        }
    }

    /// Checks that more bytes fit into the message.
    ///
    /// @param bytes that it has
    /// @param length bytes of the next piece
    /// @param most of all; see [#mostBytes]
    public static void requireMessage(
            Object who, WorkKind kind, long bytes, long length, long most) {
        if (length > most - bytes) {
            throw refused(who, kind, "a message of more than " + most + " bytes", "split it");
        }
    }

    /// Bytes that a request can move; a datagram is one packet (IBA 9.8.4).
    ///
    /// @param packet bytes that fit into a packet of the port
    /// @param message limit of the device
    public static long mostBytes(WorkKind kind, QueuePairType type, int packet, long message) {
        if (type == QueuePairType.UD && kind != WorkKind.RECEIVE) {
            return packet;
        }
        return kind.isAtomic() ? SendBatch.ATOMIC_BYTES : message;
    }

    /// Checks a complete request whose peer answers with data; see [WorkKind#isAnswered].
    ///
    /// @param reads that the queue pair may have in flight; without any it would wait for ever
    public static void requireAnswerable(
            Object who, WorkKind kind, int reads, long bytes, int pieces) {
        if (reads == 0) {
            throw refused(
                    who,
                    kind,
                    "the queue pair may have no READ or atomic in flight",
                    "connect with readsAsInitiator above 0");
        }
        if (kind.isAtomic() && (bytes != SendBatch.ATOMIC_BYTES || pieces != 1)) {
            throw refused(
                    who,
                    kind,
                    bytes + " bytes for the old value",
                    "name eight bytes in one piece with local()");
        }
    }
}
