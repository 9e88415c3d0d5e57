package org.railyard.cli.lst;

import java.util.List;

/** The words that describe a test: {@code ping}, or {@code brw read size=1M check=full}. */
final class TestWords {
    private TestWords() {}

    /**
     * Puts the words into a request.
     *
     * @throws IllegalArgumentException if there is one that is not known
     */
    static void into(LstConsole.Request request, List<String> words) {
        String test = words.getFirst();
        request.with("test", test);
        for (String word : words.subList(1, words.size())) {
            if (!test.equals("brw")) {
                throw new IllegalArgumentException("'" + word + "': the test '" + test + "' takes no more words");
            }
            brw(request, word);
        }
    }

    private static void brw(LstConsole.Request request, String word) {
        int equals = word.indexOf('=');
        String name = equals < 0 ? word : word.substring(0, equals);
        String value = word.substring(equals + 1);
        switch (name) {
            case "read", "r" -> request.with("operation", "read");
            case "write", "w" -> request.with("operation", "write");
            case "size" -> request.with("size", Bytes.parse(value));
            case "off" -> request.with("offset", Bytes.parse(value));
            case "check" -> request.with("check", value);
            default ->
                throw new IllegalArgumentException(
                        "'" + word + "'; expected read, write, size=BYTES, check=none|simple|full or off=BYTES");
        }
    }
}
