package org.railyard.sm.lid;

/** Where the table of LIDs is kept between runs, as the text of a {@code guid2lid} file. */
public interface LidStore {
    /** Keeps nothing. */
    LidStore NONE = new LidStore() {
        @Override
        public String load() {
            return "";
        }

        @Override
        public void save(String text) {
            // Whoever wants to keep LIDs gives another one.
        }
    };

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
