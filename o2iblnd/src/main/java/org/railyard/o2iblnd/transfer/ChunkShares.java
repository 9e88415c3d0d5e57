package org.railyard.o2iblnd.transfer;

/**
 * What a peer has of the registered memory of a card.
 *
 * @param sources to send from
 * @param sinks to receive into
 */
public record ChunkShares(ChunkShare sources, ChunkShare sinks) {
    /** Makes the shares of a peer that has nothing. */
    public ChunkShares() {
        this(new ChunkShare(), new ChunkShare());
    }
}
