package org.railyard.itest.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** YAML documents and what they look like apart from their values. */
final class Shape {
    private Shape() {}

    /** Reads a document; mappings keep the order of their keys. */
    static @Nullable Object parse(String yaml) {
        // lnetctl writes texts with the non-specific tag "!", which is that of a string.
        return new Load(LoadSettings.builder().build())
                .loadFromString(yaml.replace("! '", "'").replace("! \"", "\""));
    }

    /** Reads a document that lnetctl wrote on a kernel node. */
    static @Nullable Object kernel(String name) throws IOException {
        try (InputStream in = Shape.class.getResourceAsStream(name + ".yaml")) {
            return parse(new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    /** Returns keys in their order and kinds of values. */
    static Object of(@Nullable Object document) {
        return switch (document) {
            case null -> "null";
            case Map<?, ?> map -> {
                Map<Object, Object> shape = new LinkedHashMap<>();
                map.forEach((key, value) -> shape.put(key, of(value)));
                // Equality of maps does not look at the order.
                yield shape.entrySet().toString();
            }
            case List<?> list -> list.stream().map(Shape::of).toList().toString();
            case Integer number -> "integer";
            case Boolean truth -> "truth";
            default -> "text";
        };
    }
}
