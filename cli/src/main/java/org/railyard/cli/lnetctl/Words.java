package org.railyard.cli.lnetctl;

import java.util.ArrayList;
import java.util.List;

/** Splits a line into words: at blanks, except within quotes; a backslash takes the next character as it is. */
final class Words {
    private Words() {}

    static List<String> of(String line) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        char quote = 0;
        boolean open = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (quote != 0) {
                quote = c == quote ? 0 : quote;
                if (quote != 0) {
                    word.append(c);
                }
            } else if (c == '"' || c == '\'') {
                quote = c;
                open = true;
            } else if (c == '\\' && i + 1 < line.length()) {
                i++;
                word.append(line.charAt(i));
                open = true;
            } else if (Character.isWhitespace(c)) {
                if (open) {
                    words.add(word.toString());
                }
                word.setLength(0);
                open = false;
            } else {
                word.append(c);
                open = true;
            }
        }
        if (open) {
            words.add(word.toString());
        }
        return words;
    }
}
