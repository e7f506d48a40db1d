package dev.verbena.verbs.spi;

import static dev.verbena.verbs.spi.WorkRules.refused;

import dev.verbena.verbs.InvalidRequestException;
import java.lang.foreign.MemorySegment;

/// Rules for bytes that a provider copies while a request is filled. As in [WorkRules], `who` is
/// the owner of the queue.
public final class InlineRules {
    private InlineRules() {}

    /// Checks the bytes of a request before they are copied.
    ///
    /// @param most bytes that may be inline in a request of this kind
    /// @param hasBytes whether the request has local memory or inline bytes already
    public static void check(
            Object who,
            WorkKind kind,
            long most,
            boolean hasBytes,
            MemorySegment from,
            long offset,
            long length) {
        if (!kind.takesInline()) {
            throw refused(who, kind, "it cannot carry bytes inline", "name memory with local()");
        }
        if (hasBytes || length > most) {
            throw refused(
                    who,
                    kind,
                    length > most
                            ? length + " bytes are too many to be inline"
                            : "it has other bytes already",
                    "use one inline() of at most " + most + " bytes, or local()");
        }
        if (!from.scope().isAlive()) {
            throw refused(
                    who, kind, "the arena of the inline bytes is closed", "post before closing");
        }
        if (offset < 0 || length < 0 || offset > from.byteSize() - length) {
            throw refused(
                    who,
                    kind,
                    "no bytes %d to %d in the segment".formatted(offset, offset + length),
                    "it has " + from.byteSize() + " bytes");
        }
    }

    /// The copy failed with a [WrongThreadException].
    public static InvalidRequestException confined(Object who, WorkKind kind) {
        return refused(
                who,
                kind,
                "the inline bytes are confined to another thread",
                "post on the thread that owns them");
    }

    /// Local memory cannot follow inline bytes.
    public static InvalidRequestException alreadyInline(Object who, WorkKind kind) {
        return refused(who, kind, "it has inline bytes already", "use inline() or local()");
    }
}
