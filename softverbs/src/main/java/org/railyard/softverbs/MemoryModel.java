package org.railyard.softverbs;

/**
 * How the memory of a machine looks to its cards.
 *
 * @param pageBytes size of a page, a power of two
 * @param scattered whether pages that are neighbours for the application are apart for the cards; otherwise an IOMMU makes neighbours of them
 * @param realOffsets whether memory begins in its page where it really does in this process; otherwise at the beginning of a page, which makes runs
 *     repeatable that use memory of unknown origin
 */
public record MemoryModel(int pageBytes, boolean scattered, boolean realOffsets) {
    /** Pages of 4 KiB that are apart. */
    public static final MemoryModel SCATTERED = new MemoryModel(4096, true, false);

    /** Pages of 4 KiB behind an IOMMU. */
    public static final MemoryModel MERGED = new MemoryModel(4096, false, false);

    /** Checks the size of pages. */
    public MemoryModel {
        if (pageBytes < 256 || Integer.bitCount(pageBytes) != 1) {
            throw new IllegalArgumentException("pages of " + pageBytes + " bytes, expected a power of two from 256 on");
        }
    }
}
