package org.railyard.cli.text;

import java.util.Locale;

/** A page in the language of {@code man}. Not thread-safe. */
public final class Manual {
    private final StringBuilder page = new StringBuilder();

    /**
     * Begins a page.
     *
     * @param name of the program
     * @param summary what it does, in a few words
     */
    public Manual(String name, String summary) {
        page.append(".TH ")
                .append(name.toUpperCase(Locale.ROOT))
                .append(" 8 \"\" \"Railyard\" \"System administration\"\n");
        page.append(".SH NAME\n")
                .append(name)
                .append(" \\- ")
                .append(escaped(summary))
                .append('\n');
        page.append(".SH SYNOPSIS\n.B ")
                .append(name.replaceFirst("^railyard-", "railyard "))
                .append('\n');
    }

    /** Adds text to the line of the synopsis; what is in capitals is for the reader to fill in. */
    public Manual synopsis(String text) {
        page.append(escaped(text)).append('\n');
        return this;
    }

    /** Begins a section. */
    public Manual section(String title) {
        page.append(".SH ").append(title).append('\n');
        return this;
    }

    /** Begins a part of a section. */
    public Manual part(String title) {
        page.append(".SS ").append(escaped(title)).append('\n');
        return this;
    }

    /** Adds a paragraph. */
    public Manual paragraph(String text) {
        page.append(".PP\n").append(escaped(text)).append('\n');
        return this;
    }

    /** Adds a term with what it means. */
    public Manual term(String term, String text) {
        page.append(".TP\n.B ")
                .append(escaped(term))
                .append('\n')
                .append(escaped(text))
                .append('\n');
        return this;
    }

    /** Adds lines that are to be shown as they are. */
    public Manual example(Iterable<String> lines) {
        page.append(".PP\n.nf\n");
        lines.forEach(line -> page.append(escaped(line)).append('\n'));
        page.append(".fi\n");
        return this;
    }

    /** Ends with other pages. */
    public String seeAlso(String... names) {
        page.append(".SH SEE ALSO\n");
        for (int i = 0; i < names.length; i++) {
            page.append(".BR ").append(escaped(names[i])).append(i < names.length - 1 ? " (8),\n" : " (8)\n");
        }
        return page.toString();
    }

    /** A dash is to be one that can be copied, and no line may look like a request. */
    private static String escaped(String text) {
        String safe = text.replace("\\", "\\e").replace("-", "\\-").replace("…", "...");
        return safe.startsWith(".") || safe.startsWith("'") ? "\\&" + safe : safe;
    }
}
