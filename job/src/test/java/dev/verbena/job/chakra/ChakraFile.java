package dev.verbena.job.chakra;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/// Writes a trace of one rank, as the tools of Chakra do.
final class ChakraFile {
    /// A message under construction.
    static final class Message {
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();

        private Message varint(long value) {
            long left = value;
            while ((left & ~0x7FL) != 0) {
                out.write((int) (left & 0x7F) | 0x80);
                left >>>= 7;
            }
            out.write((int) left);
            return this;
        }

        Message number(int field, long value) {
            return varint((long) field << 3).varint(value);
        }

        Message fixed64(int field, long value) {
            varint(((long) field << 3) | 1);
            for (int i = 0; i < 8; i++) {
                out.write((int) (value >>> (8 * i)));
            }
            return this;
        }

        Message fixed32(int field, int value) {
            varint(((long) field << 3) | 5);
            for (int i = 0; i < 4; i++) {
                out.write(value >>> (8 * i));
            }
            return this;
        }

        Message bytes(int field, byte[] value) {
            varint(((long) field << 3) | 2).varint(value.length);
            out.writeBytes(value);
            return this;
        }

        Message text(int field, String value) {
            return bytes(field, value.getBytes(StandardCharsets.UTF_8));
        }

        Message message(int field, Message value) {
            return bytes(field, value.out.toByteArray());
        }

        /// Packed, as proto3 has lists.
        Message packed(int field, long... values) {
            Message list = new Message();
            for (long value : values) {
                list.varint(value);
            }
            return values.length == 0 ? this : message(field, list);
        }

        /// An attribute of a node.
        Message attribute(String name, int kind, long value) {
            return message(10, new Message().text(1, name).number(kind, value));
        }

        Message attribute(String name, String value) {
            return message(10, new Message().text(1, name).text(29, value));
        }

        Message attribute(String name, boolean value) {
            return attribute(name, 27, value ? 1 : 0);
        }
    }

    private static final int INT32 = 7;
    private static final int INT64 = 9;
    private static final int UINT64 = 13;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    /// A file with the message that all have first.
    ChakraFile() {
        add(new Message().text(1, "0.0.4"));
    }

    ChakraFile add(Message message) {
        byte[] bytes = message.out.toByteArray();
        out.writeBytes(new Message().varint(bytes.length).out.toByteArray());
        out.writeBytes(bytes);
        return this;
    }

    /// A node with an id, a name, a type and data dependencies.
    static Message node(long id, String name, int type, long... after) {
        Message node = new Message();
        if (id != 0) {
            node.number(1, id);
        }
        return node.text(2, name).number(3, type).packed(5, after);
    }

    ChakraFile compute(long id, String name, long micros, boolean isCpu, long... after) {
        return add(node(id, name, 4, after).number(7, micros).attribute("is_cpu_op", isCpu));
    }

    ChakraFile send(long id, long bytes, int from, int to, int tag, long... after) {
        return add(
                node(id, "send", 5, after)
                        .attribute("is_cpu_op", false)
                        .attribute("comm_src", INT32, from)
                        .attribute("comm_dst", INT32, to)
                        .attribute("comm_tag", INT32, tag)
                        .attribute("comm_size", INT64, bytes));
    }

    ChakraFile receive(long id, long bytes, int from, int to, int tag, long... after) {
        return add(
                node(id, "receive", 6, after)
                        .attribute("is_cpu_op", false)
                        .attribute("comm_src", INT32, from)
                        .attribute("comm_dst", INT32, to)
                        .attribute("comm_tag", INT32, tag)
                        .attribute("comm_size", INT64, bytes));
    }

    ChakraFile collective(long id, int type, long bytes, String group, long... after) {
        return add(
                node(id, "collective", 7, after)
                        .attribute("is_cpu_op", false)
                        .attribute("comm_type", INT64, type)
                        .attribute("comm_size", UINT64, bytes)
                        .attribute("pg_name", group));
    }

    byte[] bytes() {
        return out.toByteArray();
    }
}
