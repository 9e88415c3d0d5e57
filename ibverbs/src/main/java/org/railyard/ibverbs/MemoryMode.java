package org.railyard.ibverbs;

/** How cards reach the memory of messages (spec 24 §8.2). */
public enum MemoryMode {
    /** It is copied through memory that is registered when an NI starts. */
    COPY("copy"),
    /**
     * It is registered when it is used first, and stays registered for a while. Whoever was given access for a transfer
     * keeps it as long.
     */
    CACHE("cache"),
    /**
     * It is registered as in {@link #CACHE}, but peers reach it only by a memory window of type 2, which work requests
     * open for one transfer and shut. Not every card has them.
     */
    WINDOW("window"),
    /**
     * All memory of the process is registered, and paged in by the card. A peer may write anywhere in the process. Not
     * every card has it.
     */
    ON_DEMAND("on_demand");

    private final String text;

    MemoryMode(String text) {
        this.text = text;
    }

    /** Returns its name. */
    public String text() {
        return text;
    }
}
