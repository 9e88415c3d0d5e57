package org.railyard.lnet.model;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The interfaces that a message was sent over without success (spec 10 §12.3): the last {@link #MAX} of each side.
 * Allocates nothing.
 */
final class UsedPaths {
    /** Most that are remembered of each side; more make the oldest forgotten. */
    static final int MAX = 8;

    private final @Nullable LocalNi[] nis = new @Nullable LocalNi[MAX];
    private final @Nullable PeerNi[] peerNis = new @Nullable PeerNi[MAX];
    private int niCount;
    private int peerNiCount;

    UsedPaths() {}

    void add(LocalNi ni) {
        if (!has(ni)) {
            nis[niCount++ % MAX] = ni;
        }
    }

    void add(PeerNi peerNi) {
        if (!has(peerNi)) {
            peerNis[peerNiCount++ % MAX] = peerNi;
        }
    }

    boolean has(LocalNi ni) {
        for (int i = 0; i < Math.min(niCount, MAX); i++) {
            if (nis[i] == ni) {
                return true;
            }
        }
        return false;
    }

    boolean has(PeerNi peerNi) {
        for (int i = 0; i < Math.min(peerNiCount, MAX); i++) {
            if (peerNis[i] == peerNi) {
                return true;
            }
        }
        return false;
    }

    void clearNis() {
        if (niCount > 0) {
            Arrays.fill(nis, null);
            niCount = 0;
        }
    }

    void clearPeerNis() {
        if (peerNiCount > 0) {
            Arrays.fill(peerNis, null);
            peerNiCount = 0;
        }
    }
}
