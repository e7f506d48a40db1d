package dev.verbena.job.chakra;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.function.LongConsumer;

/// Reads the fields of one protobuf message, in the order in which they stand.
///
/// ```java
/// while (message.next()) {
///     switch (message.field()) { … default -> message.skip(); }
/// }
/// ```
final class ProtoMessage {
    static final int VARINT = 0;
    static final int FIXED64 = 1;
    static final int BYTES = 2;
    static final int FIXED32 = 5;

    /// A varint has seven bits in a byte.
    private static final int VARINT_MAX_BYTES = 10;

    /// The bytes are no protobuf.
    static final class MalformedException extends Exception {
        private static final long serialVersionUID = 1;

        MalformedException(String message) {
            super(message);
        }
    }

    private final ByteBuffer bytes;
    private int field;
    private int kind;

    ProtoMessage(ByteBuffer bytes) {
        this.bytes = bytes.order(ByteOrder.LITTLE_ENDIAN);
    }

    /// Goes to the next field; returns whether there is one.
    boolean next() throws MalformedException {
        if (!bytes.hasRemaining()) {
            return false;
        }
        long tag = varint();
        kind = (int) (tag & 7);
        if (tag >>> 3 < 1 || tag >>> 3 > 0x1FFF_FFFF) {
            throw new MalformedException(
                    "field %s: use 1 to 536,870,911".formatted(Long.toUnsignedString(tag >>> 3)));
        }
        field = (int) (tag >>> 3);
        if (kind != VARINT && kind != FIXED64 && kind != BYTES && kind != FIXED32) {
            throw new MalformedException("field %d is of kind %d".formatted(field, kind));
        }
        return true;
    }

    int field() {
        return field;
    }

    private long varint() throws MalformedException {
        long value = 0;
        for (int i = 0; i < VARINT_MAX_BYTES; i++) {
            require(1);
            byte next = bytes.get();
            value |= (next & 0x7FL) << (7 * i);
            if (next >= 0) {
                if (i == VARINT_MAX_BYTES - 1 && next > 1) {
                    break;
                }
                return value;
            }
        }
        throw new MalformedException("a number of more than 64 bits");
    }

    private void require(int count) throws MalformedException {
        if (bytes.remaining() < count) {
            throw new MalformedException("a message that ends within a field");
        }
    }

    /// The value of a field of whole numbers: a varint, or four or eight bytes.
    long number() throws MalformedException {
        return switch (kind) {
            case VARINT -> varint();
            case FIXED64 -> {
                require(Long.BYTES);
                yield bytes.getLong();
            }
            case FIXED32 -> {
                require(Integer.BYTES);
                yield bytes.getInt();
            }
            default ->
                    throw new MalformedException(
                            "field %d is text where a number belongs".formatted(field));
        };
    }

    /// The values of a repeated field of varints: one of them, or all of them packed.
    void numbers(LongConsumer each) throws MalformedException {
        if (kind != BYTES) {
            each.accept(number());
            return;
        }
        ProtoMessage packed = message();
        while (packed.bytes.hasRemaining()) {
            each.accept(packed.varint());
        }
    }

    /// The value of a field that is a message.
    ProtoMessage message() throws MalformedException {
        if (kind != BYTES) {
            throw new MalformedException(
                    "field %d is a number where a message belongs".formatted(field));
        }
        long length = varint();
        if (length < 0 || length > bytes.remaining()) {
            throw new MalformedException(
                    "field %d has %s bytes, and %,d are left"
                            .formatted(field, Long.toUnsignedString(length), bytes.remaining()));
        }
        ByteBuffer part = bytes.slice(bytes.position(), (int) length);
        bytes.position(bytes.position() + (int) length);
        return new ProtoMessage(part);
    }

    String text() throws MalformedException {
        return StandardCharsets.UTF_8.decode(message().bytes).toString();
    }

    void skip() throws MalformedException {
        if (kind == BYTES) {
            message();
        } else {
            number();
        }
    }
}
