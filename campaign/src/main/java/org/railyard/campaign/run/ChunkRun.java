package org.railyard.campaign.run;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.railyard.campaign.plan.CaseChunk;
import org.railyard.campaign.plan.Csv;
import org.railyard.campaign.work.Work;

/** Runs the cases of one chunk. */
public final class ChunkRun {
    private ChunkRun() {}

    /**
     * Runs a chunk.
     *
     * @param goesOn asked before each case
     * @return a line of CSV for each case, UTF-8
     * @throws ChunkException if a case can not be run, or it is not to go on
     */
    public static byte[] run(Work.Worker worker, CaseChunk chunk, BooleanSupplier goesOn) {
        StringBuilder rows = new StringBuilder();
        for (long number = chunk.first(); number < chunk.end(); number++) {
            if (!goesOn.getAsBoolean()) {
                throw new ChunkException(chunk + ": given up before case " + number, null);
            }
            rows.append(row(worker, chunk, number)).append('\n');
        }
        return rows.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static String row(Work.Worker worker, CaseChunk chunk, long number) {
        try {
            List<String> cells = worker.run(number);
            return Csv.line(cells);
        } catch (RuntimeException | AssertionError | StackOverflowError | OutOfMemoryError e) {
            throw new ChunkException("%s: case %d: %s".formatted(chunk, number, e), e);
        }
    }
}
