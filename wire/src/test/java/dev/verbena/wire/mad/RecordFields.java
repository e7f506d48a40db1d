package dev.verbena.wire.mad;

import dev.verbena.wire.Payload;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Components of records by name, `primary.localGid.high` for a component of a component.
final class RecordFields {
    private RecordFields() {}

    static List<String> names(Class<?> type) {
        List<String> names = new ArrayList<>();
        for (RecordComponent component : type.getRecordComponents()) {
            if (component.getType().isRecord()) {
                names(component.getType())
                        .forEach(inner -> names.add(component.getName() + "." + inner));
            } else {
                names.add(component.getName());
            }
        }
        return names;
    }

    static Class<?> type(Class<?> type, String path) {
        int dot = path.indexOf('.');
        String head = dot < 0 ? path : path.substring(0, dot);
        for (RecordComponent component : type.getRecordComponents()) {
            if (component.getName().equals(head)) {
                return dot < 0
                        ? component.getType()
                        : type(component.getType(), path.substring(dot + 1));
            }
        }
        throw new AssertionError(type + " has no " + path);
    }

    /// A copy of the record with one component changed, made by its own constructor.
    static Record with(Record record, String path, Object value) {
        int dot = path.indexOf('.');
        String head = dot < 0 ? path : path.substring(0, dot);
        RecordComponent[] components = record.getClass().getRecordComponents();
        Object[] values = new Object[components.length];
        try {
            for (int index = 0; index < components.length; index++) {
                values[index] = components[index].getAccessor().invoke(record);
                if (components[index].getName().equals(head)) {
                    values[index] =
                            dot < 0
                                    ? value
                                    : with((Record) values[index], path.substring(dot + 1), value);
                }
            }
            Class<?>[] types =
                    Arrays.stream(components)
                            .map(RecordComponent::getType)
                            .toArray(Class<?>[]::new);
            return (Record) record.getClass().getDeclaredConstructor(types).newInstance(values);
        } catch (ReflectiveOperationException e) {
            if (e.getCause() instanceof RuntimeException refused) {
                throw refused;
            }
            throw new LinkageError(record + " has no usable constructor", e);
        }
    }

    /// All ones in a field of a type and a width.
    static Object ones(Class<?> type, int width) {
        if (type == boolean.class) {
            return true;
        }
        if (type == int.class) {
            return width == 32 ? -1 : (1 << width) - 1;
        }
        if (type == long.class) {
            return -1L;
        }
        byte[] bytes = new byte[width / 8];
        Arrays.fill(bytes, (byte) 0xFF);
        return Payload.of(bytes);
    }
}
