package org.railyard.sm;

/** Keeps a table in memory, for a manager that starts anew. */
final class TextInMemory implements TextStore {
    private String text = "";

    @Override
    public String name() {
        return "memory";
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
