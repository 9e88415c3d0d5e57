package org.railyard.fabric.proof;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The rounds in which switches get the entries of LIDs that are written nearest to the destination first. */
final class TransitionRounds {
    private static final int NONE = -1;
    private static final int FIRST_SIZE = 64;

    /** By switch, then by the LID's place; null where all are in round 0, as beyond the end of a row. */
    private final byte[] @Nullable [] rows;

    /** By LID: its place, NONE if it has none. */
    private final int[] places;

    /** By place. */
    private byte[] lastRounds = new byte[FIRST_SIZE];

    private int added;
    private int count;

    TransitionRounds(int switches, int maxLid) {
        rows = new byte[switches][];
        places = new int[maxLid + 1];
        Arrays.fill(places, NONE);
    }

    /** Adds a LID, or forgets what was told of it. */
    void add(int lid) {
        remove(lid);
        if (added == lastRounds.length) {
            lastRounds = Arrays.copyOf(lastRounds, 2 * added);
        }
        places[lid] = added++;
        count++;
    }

    /** Sets the round of a switch, for a LID that was added. */
    void set(int sw, int lid, byte round) {
        if (round == 0) {
            return;
        }
        int place = places[lid];
        byte @Nullable [] row = rows[sw];
        if (row == null || row.length <= place) {
            row = row == null ? new byte[lastRounds.length] : Arrays.copyOf(row, lastRounds.length);
            rows[sw] = row;
        }
        row[place] = round;
        lastRounds[place] = (byte) Math.max(lastRounds[place], round);
    }

    /** Takes a LID out. */
    void remove(int lid) {
        count -= contains(lid) ? 1 : 0;
        places[lid] = NONE;
    }

    /** Returns whether a LID was added. */
    boolean contains(int lid) {
        return places[lid] != NONE;
    }

    /** Returns how many LIDs there are. */
    int count() {
        return count;
    }

    /** Returns the round of a switch, 0 for LIDs that were not added. */
    int of(int sw, int lid) {
        int place = lid < places.length ? places[lid] : NONE;
        byte @Nullable [] row = rows[sw];
        return place == NONE || row == null || place >= row.length ? 0 : row[place];
    }

    /** Returns the last round of a LID that was added. */
    int last(int lid) {
        return lastRounds[places[lid]];
    }

    /** Returns the last round of all LIDs. */
    int last() {
        int last = 0;
        for (int place : places) {
            last = place == NONE ? last : Math.max(last, lastRounds[place]);
        }
        return last;
    }
}
