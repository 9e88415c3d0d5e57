package org.railyard.console.web;

import java.util.Map;
import org.railyard.base.text.JsonText;

/**
 * Something that pages are told, as text that may be sent many times.
 *
 * @param text in the form of server-sent events
 */
public record LiveEvent(String text) {
    /**
     * Makes one.
     *
     * @param name that scripts know it by
     * @param document what it says
     */
    public static LiveEvent of(String name, Map<String, ?> document) {
        // One line: JSON writes the ends of lines in texts as signs of its own.
        return new LiveEvent("event: " + name + "\ndata: " + JsonText.of(document) + "\n\n");
    }
}
