package org.railyard.sm;

import org.railyard.sm.lid.LidStore;

/** Keeps the table of LIDs in memory, for a manager that starts anew. */
final class LidsInMemory implements LidStore {
    private String text = "";

    @Override
    public String load() {
        return text;
    }

    @Override
    public void save(String newText) {
        text = newText;
    }
}
