package org.railyard.control;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;

/** Operations as maps of texts, numbers, switches and lists of texts, and back: what goes over the control socket. */
public final class OperationCodec {
    private static final String SUFFIX = "Operation";

    /** All operations by path, for example {@code net/add}. */
    private static final Map<String, Class<? extends Operation>> BY_PATH = byPath();

    private OperationCodec() {}

    private static Map<String, Class<? extends Operation>> byPath() {
        Map<String, Class<? extends Operation>> found = new LinkedHashMap<>();
        for (Class<?> group : Operation.class.getPermittedSubclasses()) {
            if (group.isMemberClass()) {
                continue; // A kind of operations of all groups.
            }
            for (Class<?> each : group.getPermittedSubclasses()) {
                Class<? extends Operation> type = each.asSubclass(Operation.class);
                found.put(groupOf(type) + "/" + nameOf(type), type);
            }
        }
        return found;
    }

    static String groupOf(Class<?> type) {
        String owner = type.getDeclaringClass().getSimpleName();
        return dashed(owner.substring(0, owner.length() - SUFFIX.length()), '-');
    }

    static String nameOf(Class<?> type) {
        return dashed(type.getSimpleName(), '-');
    }

    private static String dashed(String name, char between) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (Character.isUpperCase(c) && !text.isEmpty()) {
                text.append(between);
            }
            text.append(Character.toLowerCase(c));
        }
        return text.toString();
    }

    /** Returns the paths of all operations, {@code group/name}, group by group. */
    public static List<String> paths() {
        return List.copyOf(BY_PATH.keySet());
    }

    /** Returns the type of the operation with a path, null if there is none. */
    public static @Nullable Class<? extends Operation> typeOf(String path) {
        return BY_PATH.get(path);
    }

    /** Returns the path of an operation. */
    public static String pathOf(Operation operation) {
        return pathOf(operation.getClass());
    }

    /** Returns the path of a type of operations. */
    public static String pathOf(Class<? extends Operation> type) {
        return groupOf(type) + "/" + nameOf(type);
    }

    /** Returns the name of the field of a component, for example {@code peer_credits}. */
    public static String fieldOf(RecordComponent component) {
        return dashed(component.getName(), '_');
    }

    /**
     * Returns the names of the fields of an operation with their types: {@code text}, {@code number}, {@code switch} or
     * {@code texts}.
     */
    public static Map<String, String> fieldsOf(Class<? extends Operation> type) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (RecordComponent each : type.getRecordComponents()) {
            fields.put(fieldOf(each), kind(each.getType()));
        }
        return fields;
    }

    /** Returns what the fields of an operation mean, by their names, where there is a help. */
    public static Map<String, String> helpOf(Class<? extends Operation> type) {
        Map<String, String> help = new LinkedHashMap<>();
        for (RecordComponent each : type.getRecordComponents()) {
            CliOption option = each.getAnnotation(CliOption.class);
            if (option != null) {
                help.put(fieldOf(each), option.help());
            }
        }
        return help;
    }

    private static String kind(Class<?> type) {
        if (type == boolean.class) {
            return "switch";
        }
        if (type == List.class) {
            return "texts";
        }
        return type == String.class ? "text" : "number";
    }

    /** Returns the fields of an operation that say something: without what is absent, empty or off. */
    public static Map<String, Object> encode(Operation operation) {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (RecordComponent each : operation.getClass().getRecordComponents()) {
            Object value = valueOf(operation, each);
            boolean silent = value == null || value.equals(false) || value.equals(List.of());
            if (!silent) {
                fields.put(fieldOf(each), value);
            }
        }
        return fields;
    }

    private static @Nullable Object valueOf(Operation operation, RecordComponent component) {
        try {
            return component.getAccessor().invoke(operation);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException("operation " + operation + " can not be read", e);
        }
    }

    /**
     * Returns the operation of a path with fields.
     *
     * @throws ErrnoException ENOENT if there is no such operation; EINVAL if a field is unknown or can not be what it
     *     is
     */
    public static Operation decode(String path, Map<?, ?> fields) {
        Class<? extends Operation> type = BY_PATH.get(path);
        if (type == null) {
            throw new ErrnoException(
                    Errno.ENOENT, "no operation '" + path + "'; there are " + String.join(", ", paths()));
        }
        Map<String, String> known = fieldsOf(type);
        for (Object name : fields.keySet()) {
            if (!known.containsKey(String.valueOf(name))) {
                throw new ErrnoException(
                        Errno.EINVAL,
                        path + " has no field '" + name + "'; it has "
                                + (known.isEmpty() ? "none" : String.join(", ", known.keySet())));
            }
        }
        RecordComponent[] components = type.getRecordComponents();
        Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            String name = fieldOf(components[i]);
            values[i] = value(path + ": " + name, components[i].getType(), fields.get(name));
        }
        return make(type, components, values);
    }

    private static Operation make(Class<? extends Operation> type, RecordComponent[] components, Object[] values) {
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            return type.getConstructor(types).newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("operation " + type + " can not be made", e);
        }
    }

    private static @Nullable Object value(String name, Class<?> type, @Nullable Object value) {
        if (type == boolean.class) {
            return value != null && bool(name, value);
        }
        if (type == List.class) {
            return texts(value);
        }
        if (value == null) {
            if (type.isPrimitive()) {
                return 0;
            }
            return null;
        }
        return type == String.class ? String.valueOf(value) : number(name, type, value);
    }

    private static boolean bool(String name, Object value) {
        return switch (String.valueOf(value).toLowerCase(Locale.ROOT)) {
            case "true", "1" -> true;
            case "false", "0" -> false;
            default -> throw new ErrnoException(Errno.EINVAL, name + " is '" + value + "'; expected true or false");
        };
    }

    private static List<String> texts(@Nullable Object value) {
        List<String> texts = new ArrayList<>();
        if (value instanceof List<?> list) {
            list.forEach(each -> texts.add(String.valueOf(each)));
        } else if (value != null) {
            texts.add(String.valueOf(value));
        }
        return texts;
    }

    private static Object number(String name, Class<?> type, Object value) {
        try {
            long number = Long.parseLong(String.valueOf(value).strip());
            if (type == Long.class) {
                return number;
            }
            return Math.toIntExact(number);
        } catch (NumberFormatException | ArithmeticException e) {
            throw new ErrnoException(Errno.EINVAL, name + " is '" + value + "'; expected a whole number", e);
        }
    }
}
