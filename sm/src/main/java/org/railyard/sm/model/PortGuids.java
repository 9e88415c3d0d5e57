package org.railyard.sm.model;

import java.util.List;

/**
 * A block of GUIDs that a port shall have beside its own: alias GUIDs, as clients have asked for them.
 *
 * @param portGuid GUID of the port, which may be absent
 * @param block number of the block
 * @param guids those of the block, 0 for none; of block 0 the first is the port's own, and not told here
 * @param revision another number whenever a client has asked for something of the block: then it is written again, even
 *     if it is the same, because the port may have lost it
 */
public record PortGuids(long portGuid, int block, List<Long> guids, int revision) {
    /** Number of GUIDs of a block. */
    public static final int BLOCK = 8;

    /** Number of blocks of a port: GUIDCap has 8 bits. */
    public static final int MAX_BLOCKS = 32;

    /** Checks the ranges, and copies the GUIDs. */
    public PortGuids {
        if (block < 0 || block >= MAX_BLOCKS || guids.size() != BLOCK) {
            throw new IllegalArgumentException("block %d of %d GUIDs: 0 to %d, and %d expected"
                    .formatted(block, guids.size(), MAX_BLOCKS - 1, BLOCK));
        }
        guids = List.copyOf(guids);
    }
}
