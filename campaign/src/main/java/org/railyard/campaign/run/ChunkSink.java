package org.railyard.campaign.run;

import org.railyard.campaign.plan.CaseChunk;

/** Takes what comes of chunks, in any order. Any thread may call. */
public interface ChunkSink {
    /**
     * Takes the rows of a chunk.
     *
     * @param rows a line of CSV for each case, in their order, UTF-8
     */
    void finished(CaseChunk chunk, byte[] rows);

    /**
     * Hears that a chunk could not be run to its end.
     *
     * @param why one line
     */
    void failed(CaseChunk chunk, String why);
}
