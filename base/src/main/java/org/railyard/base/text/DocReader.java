package org.railyard.base.text;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** Reads documents, YAML or JSON, into maps, lists, texts, {@link Long}s and {@link Boolean}s. */
public final class DocReader {
    /** Longest document, characters. */
    public static final int MAX_CHARACTERS = 64 << 20;

    private DocReader() {}

    /**
     * Reads a mapping; nothing at all is an empty one.
     *
     * @throws IllegalArgumentException if the text is none
     */
    public static Map<String, Object> mapping(String text) {
        Object document;
        try {
            // The scanner copies what it has of a long text whenever it reads on: so it reads the whole document at
            // once.
            LoadSettings settings = LoadSettings.builder()
                    .setCodePointLimit(MAX_CHARACTERS)
                    .setBufferSize(text.length() + 2)
                    .setAllowDuplicateKeys(false)
                    .build();
            document = new Load(settings).loadFromString(text);
        } catch (YamlEngineException e) {
            throw new IllegalArgumentException("no document: " + e.getMessage(), e);
        }
        if (document == null) {
            return new LinkedHashMap<>();
        }
        if (!(document instanceof Map<?, ?> map)) {
            throw new IllegalArgumentException("a document that is no mapping");
        }
        return mapOf(map);
    }

    private static Map<String, Object> mapOf(Map<?, ?> map) {
        Map<String, Object> copy = new LinkedHashMap<>();
        map.forEach((key, value) -> copy.put(String.valueOf(key), plain(value)));
        return copy;
    }

    private static @Nullable Object plain(@Nullable Object value) {
        // By hand, as in JsonText.
        if (value instanceof Map<?, ?> map) {
            return mapOf(map);
        }
        if (value instanceof List<?> list) {
            List<@Nullable Object> copy = new ArrayList<>();
            list.forEach(each -> copy.add(plain(each)));
            return copy;
        }
        return value instanceof Integer number ? Long.valueOf(number) : value;
    }
}
