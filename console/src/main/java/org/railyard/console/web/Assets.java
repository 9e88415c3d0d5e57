package org.railyard.console.web;

import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The files of the pages, by path. They are read once, and only those that are named are there. Immutable. */
public final class Assets {
    private static final int OK = 200;
    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "svg", "image/svg+xml");

    private final Map<String, WebAnswer> files;

    private Assets(Map<String, WebAnswer> files) {
        this.files = Map.copyOf(files);
    }

    /**
     * Reads files that lie below a class.
     *
     * @param owner the class
     * @param folder below the package of the class
     * @param names of the files in it; {@code index.html} is at {@code /}, others are at their names
     * @throws IOException if one can not be read
     */
    public static Assets read(Class<?> owner, String folder, List<String> names) throws IOException {
        Map<String, WebAnswer> files = new LinkedHashMap<>();
        for (String name : names) {
            try (InputStream in = owner.getResourceAsStream(folder + "/" + name)) {
                if (in == null) {
                    throw new IOException("the file " + folder + "/" + name + " of the console is missing;"
                            + " expected it beside the classes: build again with 'mvn package'");
                }
                files.put(
                        name.equals("index.html") ? "/" : "/" + name, new WebAnswer(OK, type(name), in.readAllBytes()));
            }
        }
        return new Assets(files);
    }

    private static String type(String name) throws IOException {
        String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
        if (type == null) {
            throw new IOException("the console has no type for " + name + "; expected html, css, js or svg");
        }
        return type;
    }

    /** Returns the file at a path, null if there is none. */
    @Nullable
    WebAnswer at(String path) {
        return files.get(path);
    }
}
