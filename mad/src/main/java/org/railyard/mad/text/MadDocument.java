package org.railyard.mad.text;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.railyard.mad.layout.BitField;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.layout.FieldText;
import org.railyard.mad.wire.Mad;

/** Writes MADs for programs: what {@link MadText#page} says, as a document. */
public final class MadDocument {
    private MadDocument() {}

    /**
     * Returns {@code summary}, {@code class}, {@code attribute_id}, {@code modifier}, {@code status} and {@code parts}:
     * at most {@link MadText#MAX_RECORDS} structures, with {@code name} and {@code fields}. A field is a number, if it
     * is decimal and not larger than a long; else a text; of several, a list.
     */
    public static Map<String, Object> of(Mad mad) {
        List<Object> parts = new ArrayList<>();
        for (BitStruct<?> part : MadText.parts(mad)) {
            Map<String, Object> fields = new LinkedHashMap<>();
            for (BitField field : part.layout().fields()) {
                if (MadText.shown(mad, part).test(field)) {
                    fields.put(field.name(), FieldText.document(part, field));
                }
            }
            parts.add(Map.of("name", part.layout().name(), "fields", fields));
        }
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("summary", MadText.summary(mad));
        document.put("class", mad.mgmtClass());
        document.put("attribute_id", mad.attributeId());
        document.put("modifier", Integer.toUnsignedLong(mad.modifier()));
        document.put("status", mad.status());
        document.put("parts", parts);
        return document;
    }
}
