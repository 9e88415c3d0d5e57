package org.railyard.fabric.draw;

import java.util.Locale;

/** Collects SVG elements. Numbers have at most one decimal; text is escaped. */
final class Svg {
    private final StringBuilder body = new StringBuilder();

    /** Returns the width of a line as text. */
    static String width(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    private static String number(double value) {
        String text = String.format(Locale.ROOT, "%.1f", value);
        return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
    }

    private static String escaped(String text) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '&' -> out.append("&amp;");
                case '"' -> out.append("&quot;");
                default -> out.append(c < ' ' ? ' ' : c);
            }
        }
        return out.toString();
    }

    /** Begins a group whose elements share a class of the style sheet. */
    void begin(String style) {
        body.append("<g class=\"").append(style).append("\">\n");
    }

    /** Begins such a group whose lines are a part, at most 1, as thick as the style sheet says. */
    void begin(String style, double thickness) {
        if (thickness == 1) {
            begin(style);
            return;
        }
        body.append("<g class=\"")
                .append(style)
                .append("\" style=\"stroke-width:")
                .append(width(Palette.width(style) * thickness))
                .append("\">\n");
    }

    void end() {
        body.append("</g>\n");
    }

    void line(Geometry.Piece piece) {
        line(piece, "");
    }

    /** Draws a line with more attributes, which must be well formed. */
    void line(Geometry.Piece piece, String attributes) {
        body.append("<path d=\"M")
                .append(number(piece.x1()))
                .append(' ')
                .append(number(piece.y1()))
                .append('L')
                .append(number(piece.x2()))
                .append(' ')
                .append(number(piece.y2()))
                .append('"')
                .append(attributes)
                .append("/>\n");
    }

    void circle(double x, double y, double radius) {
        body.append("<circle cx=\"")
                .append(number(x))
                .append("\" cy=\"")
                .append(number(y))
                .append("\" r=\"")
                .append(number(radius))
                .append("\"/>\n");
    }

    /** Draws text, centred unless the style sheet says otherwise. */
    void text(double x, double y, String text) {
        body.append("<text x=\"")
                .append(number(x))
                .append("\" y=\"")
                .append(number(y))
                .append("\">")
                .append(escaped(text))
                .append("</text>\n");
    }

    /** Returns the picture. */
    String document(double width, double height, String title, String style) {
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="0 0 %s %s">
            <title>%s</title>
            <style>
            %s</style>
            <defs>
            %s%s</defs>
            <rect width="100%%" height="100%%" fill="#ffffff"/>
            %s</svg>
            """.formatted(
                        number(width),
                        number(height),
                        number(width),
                        number(height),
                        escaped(title),
                        style,
                        arrow("path-end", Palette.PATH),
                        arrow("loop-end", Palette.LOOP),
                        body);
    }

    private static String arrow(String id, String color) {
        return """
            <marker id="%s" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="9" markerHeight="9" \
            markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8Z" fill="%s"/></marker>
            """.formatted(id, color);
    }
}
