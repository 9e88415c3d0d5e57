package org.railyard.verbs.card.memory;

/**
 * How the memory of a machine looks to its cards.
 *
 * @param pageBytes size of a page, a power of two
 * @param scattered whether pages that are neighbours for the application are apart for the cards; otherwise an IOMMU
 *     makes neighbours of them
 * @param realOffsets whether memory begins in its page where it really does in this process, and arenas keep their
 *     addresses; otherwise both are made up, which makes runs repeatable that use memory of unknown origin
 */
public record MemoryModel(int pageBytes, boolean scattered, boolean realOffsets) {
    /** Pages of 4 KiB that are apart. */
    public static final MemoryModel SCATTERED = new MemoryModel(4096, true, false);

    /** Pages of 4 KiB behind an IOMMU. */
    public static final MemoryModel MERGED = new MemoryModel(4096, false, false);

    /** Pages of 4 KiB that are apart from nothing: memory as the process itself sees it. */
    public static final MemoryModel OF_PROCESS = new MemoryModel(4096, false, true);

    /** Checks the size of pages. */
    public MemoryModel {
        if (pageBytes < 256 || Integer.bitCount(pageBytes) != 1) {
            throw new IllegalArgumentException("pages of " + pageBytes + " bytes, expected a power of two from 256 on");
        }
    }
}
