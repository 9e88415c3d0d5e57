package org.railyard.sm;

/** Keeps a table in memory, for a manager that starts anew, or for several. */
public final class TextInMemory implements TextStore {
    private final String name;
    private String text = "";

    /** Makes one that is empty. */
    public TextInMemory(String name) {
        this.name = name;
    }

    TextInMemory() {
        this("memory");
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String load() {
        return text;
    }

    @Override
    public void save(String newText) {
        text = newText;
    }
}
