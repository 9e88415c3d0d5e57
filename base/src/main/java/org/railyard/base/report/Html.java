package org.railyard.base.report;

/** Text in HTML and SVG. */
public final class Html {
    private Html() {}

    /** Returns text so that a browser shows it and takes nothing of it for markup, also within quotes. */
    public static String escaped(String text) {
        StringBuilder out = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '&' -> out.append("&amp;");
                case '"' -> out.append("&quot;");
                case '\'' -> out.append("&#39;");
                default -> out.append(Character.isISOControl(c) && c != '\n' ? ' ' : c);
            }
        }
        return out.toString();
    }
}
