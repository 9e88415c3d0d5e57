package org.railyard.lnet.api;

/**
 * The sizes of router buffers (spec 11 §6.6). A message waits in the smallest that it fits into; sizes do not borrow
 * from each other.
 */
public enum RouterBufferSize {
    /** For messages without payload: nothing but the header. */
    TINY("tiny", 0, 2048, 512, Tunable.TINY_BUFFERS),
    /** For payloads of up to a page. */
    SMALL("small", 1, 16_384, 4096, Tunable.SMALL_BUFFERS),
    /** For the rest, up to 1 MiB. */
    LARGE("large", 256, 1024, 256, Tunable.LARGE_BUFFERS);

    /** Bytes of a page. */
    public static final int PAGE_BYTES = 4096;

    private final String text;
    private final int pages;
    private final int defaultTotal;
    private final int recommendedTotal;
    private final Tunable tunable;

    RouterBufferSize(String text, int pages, int defaultTotal, int recommendedTotal, Tunable tunable) {
        this.text = text;
        this.pages = pages;
        this.defaultTotal = defaultTotal;
        this.recommendedTotal = recommendedTotal;
        this.tunable = tunable;
    }

    /** Returns its name in configuration. */
    public String text() {
        return text;
    }

    /** Returns its pages. */
    public int pages() {
        return pages;
    }

    /** Returns the longest payload that it takes, bytes. */
    public int bytes() {
        return pages * PAGE_BYTES;
    }

    /** Returns how few buffers of a node are worth a warning. */
    public int recommendedTotal() {
        return recommendedTotal;
    }

    /** Returns the tunable with the number of buffers of a node. */
    public Tunable tunable() {
        return tunable;
    }

    /** Returns the number of buffers of a node: what the tunable says, where 0 stands for the default. */
    public int total(Settings settings) {
        int wanted = settings.get(tunable);
        return wanted == 0 ? defaultTotal : wanted;
    }

    /** Returns the smallest size that a payload fits into. */
    public static RouterBufferSize of(int payload) {
        return payload <= TINY.bytes() ? TINY : payload <= SMALL.bytes() ? SMALL : LARGE;
    }
}
