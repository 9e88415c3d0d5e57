package org.railyard.sm;

/** Where a table is kept between runs, as the text of a file: LIDs by GUID, or M_Keys by GUID. */
public interface TextStore {
    /** Keeps nothing. */
    TextStore NONE = new TextStore() {
        @Override
        public String name() {
            return "";
        }

        @Override
        public String load() {
            return "";
        }

        @Override
        public void save(String text) {
            // Whoever wants to keep something gives another one.
        }
    };

    /** Returns what messages call it, such as the name of a file. */
    String name();

    /**
     * Returns the text, "" if there is none yet.
     *
     * @throws java.io.UncheckedIOException if it can not be read
     */
    String load();

    /**
     * Replaces the text by another as a whole: after a crash it is the old one or the new one.
     *
     * @throws java.io.UncheckedIOException if that is not possible
     */
    void save(String text);
}
