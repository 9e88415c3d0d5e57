package org.railyard.bench.peer;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Connections that are closed together. */
record LoopbackPairs(List<LoopbackPair> pairs) implements AutoCloseable {
    /** Opens so many connections, or none. */
    static LoopbackPairs open(int count) throws IOException {
        LoopbackPairs opened = new LoopbackPairs(new ArrayList<>());
        try {
            for (int i = 0; i < count; i++) {
                opened.pairs.add(LoopbackPair.open());
            }
        } catch (IOException e) {
            opened.close();
            throw e;
        }
        return opened;
    }

    /** Closes all of them; the first error is thrown when all were tried. */
    @Override
    public void close() throws IOException {
        IOException first = null;
        for (LoopbackPair pair : pairs) {
            try {
                pair.close();
            } catch (IOException e) {
                first = first == null ? e : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
