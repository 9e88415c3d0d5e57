package org.railyard.lnet.api;

/**
 * Which set of defaults a node has where the reference documents and Lustre's own nodes differ (spec 10 §21). The wire
 * is the same in all.
 */
public enum CompatProfile {
    /**
     * The default: what Lustre's nodes do where the letter of the documents costs users something, otherwise what the
     * documents ask for.
     */
    RAILYARD("railyard"),
    /** What the multi-rail and resiliency documents ask for. */
    DOCUMENTS("documents"),
    /** What Lustre's nodes do. */
    LUSTRE("lustre");

    private final String text;

    CompatProfile(String text) {
        this.text = text;
    }

    /** Returns its name in configuration. */
    public String text() {
        return text;
    }
}
