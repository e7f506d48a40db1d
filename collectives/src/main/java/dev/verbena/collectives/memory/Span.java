package dev.verbena.collectives.memory;

import dev.verbena.verbs.InvalidRequestException;

/// A part of a [RankMemory]. Offset and length are in bytes.
public record Span(RankMemory memory, long offset, long length) {
    public Span {
        if (offset < 0 || length < 0 || length > memory.length() - offset) {
            throw new InvalidRequestException(
                    memory.toString(),
                    "it has %,d bytes, not %,d from %,d on"
                            .formatted(memory.length(), length, offset),
                    "use a part of it");
        }
    }

    /// A part of this span.
    public Span slice(long from, long bytes) {
        if (from < 0 || bytes < 0 || bytes > length - from) {
            throw new InvalidRequestException(
                    memory.toString(),
                    "a span of %,d bytes has not %,d from %,d on".formatted(length, bytes, from),
                    "use a part of it");
        }
        return new Span(memory, offset + from, bytes);
    }
}
