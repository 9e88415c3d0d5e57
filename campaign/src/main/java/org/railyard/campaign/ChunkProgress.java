package org.railyard.campaign;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.railyard.campaign.plan.CaseChunk;
import org.railyard.campaign.run.ChunkJournal;
import org.railyard.campaign.run.ChunkSink;

/** Puts into the journal what ended, and counts. Thread-safe. */
final class ChunkProgress implements ChunkSink {
    /** Most failures of chunks that are told. */
    static final int MAX_FAILURES = 100;

    private static final int MAX_LINE = 1000;

    @GuardedBy("this")
    private final ChunkJournal journal;

    private final CampaignFolder.Listener listener;

    @GuardedBy("this")
    private final List<String> failures = new ArrayList<>();

    @GuardedBy("this")
    private long cases;

    ChunkProgress(ChunkJournal journal, CampaignFolder.Listener listener, long cases) {
        this.journal = journal;
        this.listener = listener;
        this.cases = cases;
    }

    @Override
    public synchronized void finished(CaseChunk chunk, byte[] rows) {
        try {
            journal.add(chunk, rows);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        cases += chunk.cases();
        listener.progress(cases);
    }

    @Override
    public synchronized void failed(CaseChunk chunk, String why) {
        if (failures.size() < MAX_FAILURES) {
            String line = why.replaceAll("[\\s\\p{Cntrl}]+", " ").strip();
            failures.add(line.length() > MAX_LINE ? line.substring(0, MAX_LINE) + "…" : line);
        }
    }

    synchronized List<String> failures() {
        return List.copyOf(failures);
    }
}
