package org.railyard.console.web;

import java.util.Map;

/** Answers a request. Called from many threads at a time. */
@FunctionalInterface
public interface Page {
    /**
     * Answers.
     *
     * @param query the fields behind the question mark
     * @throws IllegalArgumentException if they can not be what they are
     */
    WebAnswer answer(Map<String, String> query);
}
