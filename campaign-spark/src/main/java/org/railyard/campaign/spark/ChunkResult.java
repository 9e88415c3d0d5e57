package org.railyard.campaign.spark;

import java.io.Serializable;

/**
 * What came of a chunk, on its way to the driver.
 *
 * @param index the chunk
 * @param isDone whether it was run to its end
 * @param bytes its rows, or why there are none, UTF-8
 */
record ChunkResult(int index, boolean isDone, byte[] bytes) implements Serializable {}
