package org.railyard.console;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.railyard.base.text.Doc;
import org.railyard.control.Dlc;
import org.railyard.control.DlcException;
import org.railyard.control.Operation;
import org.railyard.control.StatsOperation;

/** A node whose answers a test plans. */
final class Planned implements Dlc {
    /** What it does when it is asked. */
    enum Mood {
        ANSWERS,
        REFUSES,
        GONE
    }

    private volatile Mood mood = Mood.ANSWERS;
    private volatile List<Object> nis = List.of(ni("10.0.0.1@tcp", "eth0", "ACTIVE", 1000, 0));
    private volatile List<Object> peers = List.of();
    private final List<Operation> asked = new ArrayList<>();
    private long time;

    static Map<String, Object> ni(String nid, String of, String state, int health, int sent) {
        return new Doc()
                .put("nid", nid)
                .put("of", of)
                .put("state", state)
                .put("health", health)
                .put("sent", sent)
                .map();
    }

    void is(Mood now) {
        mood = now;
    }

    void nis(Map<String, Object> now) {
        nis = List.of(now);
    }

    void peers(List<Object> now) {
        peers = now;
    }

    /** Returns what it was asked beside figures. */
    synchronized List<Operation> asked() {
        return List.copyOf(asked);
    }

    @Override
    public synchronized Map<String, Object> execute(Operation operation) {
        switch (mood) {
            case REFUSES -> throw new DlcException("show", "statistics", -100, "LNet is not configured");
            case GONE ->
                throw new UncheckedIOException("at nowhere: Connection refused", new IOException("Connection refused"));
            case ANSWERS -> {}
        }
        if (!(operation instanceof StatsOperation.Sample)) {
            asked.add(operation);
            return Map.of("possible", true, "text", List.of("<b>why</b>"));
        }
        time += 1_000_000_000L;
        return Map.of(
                "sample",
                new Doc()
                        .put("time", time)
                        .put("nis", nis)
                        .put("peer nis", peers)
                        .put("more peer nis", 0)
                        .map());
    }
}
