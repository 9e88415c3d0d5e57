package org.railyard.control;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Why an operation was refused, in the terms of the configuration tool (spec 12 §1.3).
 *
 * @param verb what was asked for: {@code add}, {@code del}, {@code set}, {@code show}, {@code manage} or {@code
 *     configure}
 * @param entity of what, for example {@code net}
 * @param errno a negative number
 * @param text what is wrong and what to do
 * @param problems places in a file with what is wrong there, one text each; empty if it is not about a file
 */
public record Failure(String verb, String entity, int errno, String text, List<String> problems) {
    /** Copies the list. */
    public Failure {
        problems = List.copyOf(problems);
    }

    /**
     * Returns it as a document of one item: the entity without a value, {@code errno}, {@code descr}, and {@code
     * problems} if there are any.
     */
    public Map<String, Object> toDocument() {
        Map<String, Object> item = new LinkedHashMap<>();
        item.put(entity, null);
        item.put("errno", (long) errno);
        item.put("descr", text);
        if (!problems.isEmpty()) {
            item.put("problems", problems);
        }
        Map<String, Object> document = new LinkedHashMap<>();
        document.put(verb, List.of(item));
        return document;
    }

    /** Reads what {@link #toDocument} makes, as far as it is that. */
    public static Failure ofDocument(Map<?, ?> document) {
        for (Map.Entry<?, ?> top : document.entrySet()) {
            if (top.getValue() instanceof List<?> items
                    && !items.isEmpty()
                    && items.getFirst() instanceof Map<?, ?> item
                    && item.get("errno") instanceof Number errno) {
                String entity = String.valueOf(item.keySet().iterator().next());
                List<String> problems = item.get("problems") instanceof List<?> texts
                        ? texts.stream().map(String::valueOf).toList()
                        : List.of();
                return new Failure(
                        String.valueOf(top.getKey()),
                        entity,
                        errno.intValue(),
                        String.valueOf(item.get("descr")),
                        problems);
            }
        }
        return new Failure("manage", "service", DlcException.EPROTO, "an answer that is no error document", List.of());
    }
}
