package org.railyard.doctor;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.railyard.base.text.Doc;

/**
 * Something that is wrong.
 *
 * @param id what kind, for example {@code rp-filter}; stays the same over releases
 * @param severity how bad it is
 * @param subject what it is about: a device, a NID, a net, a setting
 * @param found what was found
 * @param means what follows from it
 * @param mend commands that mend it, in order, as they can be typed; where no command can, what to do
 */
public record Finding(String id, Severity severity, String subject, String found, String means, List<String> mend) {
    /** Copies the list. */
    public Finding {
        mend = List.copyOf(mend);
    }

    /** Returns it as a document. */
    Map<String, Object> toDocument() {
        return new Doc()
                .put("id", id)
                .put("severity", severity.text())
                .put("subject", subject)
                .put("found", found)
                .put("means", means)
                .put("mend", mend)
                .map();
    }

    /** Reads what {@link #toDocument} makes, as far as it is that. */
    static Finding ofDocument(Map<?, ?> document) {
        return new Finding(
                text(document, "id"),
                Severity.valueOf(text(document, "severity").toUpperCase(Locale.ROOT)),
                text(document, "subject"),
                text(document, "found"),
                text(document, "means"),
                Report.texts(document.get("mend")));
    }

    private static String text(Map<?, ?> document, String key) {
        return String.valueOf(document.get(key));
    }
}
