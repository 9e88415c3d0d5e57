package org.railyard.console.web;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.railyard.base.text.JsonText;

/**
 * What a page answers with.
 *
 * @param status of HTTP
 * @param type of the content
 * @param body the content; not changed by anybody
 */
public record WebAnswer(int status, String type, byte[] body) {
    private static final int OK = 200;
    private static final String JSON = "application/json; charset=utf-8";
    private static final String PLAIN = "text/plain; charset=utf-8";

    /** Returns a document. */
    public static WebAnswer of(Map<String, ?> document) {
        return new WebAnswer(OK, JSON, bytes(JsonText.of(document)));
    }

    /** Returns why there is none, as a document that the pages show. */
    public static WebAnswer failed(int status, String why) {
        return new WebAnswer(status, JSON, bytes(JsonText.of(Map.of("error", why))));
    }

    /** Returns a line of text. */
    static WebAnswer text(int status, String text) {
        return new WebAnswer(status, PLAIN, bytes(text + "\n"));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
