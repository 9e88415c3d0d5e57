package org.railyard.checks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** The requirements: id and short title, in the order of the specification. */
final class Catalogue {
    /** One requirement per line: id, tab, title. */
    private static final String RESOURCE = "requirements.tsv";

    private final Map<String, String> titles;

    private Catalogue(Map<String, String> titles) {
        this.titles = Collections.unmodifiableMap(titles);
    }

    /**
     * Reads the catalogue that belongs to this module.
     *
     * @throws IOException if it can not be read or is malformed
     */
    static Catalogue load() throws IOException {
        try (InputStream in = Catalogue.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IOException("resource " + RESOURCE + " is missing");
            }
            return read(new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)));
        }
    }

    /**
     * Reads a catalogue.
     *
     * @throws IOException if a line is not an id, a tab and a title, or an id comes twice
     */
    static Catalogue read(BufferedReader from) throws IOException {
        Map<String, String> titles = new LinkedHashMap<>();
        int number = 0;
        for (String line = from.readLine(); line != null; line = from.readLine()) {
            number++;
            int tab = line.indexOf('\t');
            if (tab < 1 || tab == line.length() - 1) {
                throw new IOException("line " + number + ": expected id, tab, title; found: " + line);
            }
            if (titles.put(line.substring(0, tab), line.substring(tab + 1)) != null) {
                throw new IOException("line " + number + ": id " + line.substring(0, tab) + " comes twice");
            }
        }
        return new Catalogue(titles);
    }

    /** Returns the titles by id, in the order of the specification. */
    Map<String, String> titles() {
        return titles;
    }
}
