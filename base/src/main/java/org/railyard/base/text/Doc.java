package org.railyard.base.text;

import java.util.LinkedHashMap;
import java.util.Map;

/** Builds a mapping of a document, in the order of output. Not thread-safe. */
public final class Doc {
    private final Map<String, Object> map = new LinkedHashMap<>();

    /** Adds a key. */
    public Doc put(String key, Object value) {
        map.put(key, value);
        return this;
    }

    /** Adds a key with a number. */
    public Doc put(String key, long value) {
        map.put(key, value);
        return this;
    }

    /** Adds a key with a mapping. */
    public Doc put(String key, Doc value) {
        map.put(key, value.map());
        return this;
    }

    /** Adds all keys of a mapping. */
    public Doc putAll(Map<String, ?> other) {
        map.putAll(other);
        return this;
    }

    /** Returns the mapping. */
    public Map<String, Object> map() {
        return map;
    }
}
