package org.railyard.fabric.proof;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.SourceGroups.Source;

/** The senders of a fabric, one after the other by their switch, and their switches by SL class. */
final class SenderTable {
    private final int[] first;
    private final int[] slClass;
    private final int[] input;
    private final int[] firstOfClass;
    private final int[] switchOfClass;

    /**
     * Lists them.
     *
     * @param classes how many SL classes there are
     */
    SenderTable(Fabric fabric, SourceGroups sources, int classes) {
        first = new int[fabric.switchCount() + 1];
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            first[sw + 1] = first[sw] + sources.of(sw).length;
        }
        slClass = new int[first[fabric.switchCount()]];
        input = new int[slClass.length];
        firstOfClass = new int[classes + 1];
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            int at = first[sw];
            for (Source source : sources.of(sw)) {
                slClass[at] = source.slClass();
                input[at++] = fabric.portIndex(sw, source.input());
                if (source.slClass() >= 0) {
                    firstOfClass[source.slClass() + 1]++;
                }
            }
        }
        for (int i = 0; i < classes; i++) {
            firstOfClass[i + 1] += firstOfClass[i];
        }
        int[] filled = firstOfClass.clone();
        switchOfClass = new int[firstOfClass[classes]];
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            for (int sender = first[sw]; sender < first[sw + 1]; sender++) {
                if (slClass[sender] >= 0) {
                    switchOfClass[filled[slClass[sender]]++] = sw;
                }
            }
        }
    }

    /** Returns the number of the first sender of a switch; of the number of switches, how many senders there are. */
    int first(int sw) {
        return first[sw];
    }

    /** Returns the SL class of a sender, negative for none. */
    int slClass(int sender) {
        return slClass[sender];
    }

    /** Returns the port index of the port of its switch by which a sender's packets come. */
    int input(int sender) {
        return input[sender];
    }

    /** Returns these ports of all senders, by their numbers. */
    IntStream inputs() {
        return Arrays.stream(input);
    }

    /** Returns where the switches of a class begin in {@link #switchOfClass}. */
    int firstOfClass(int number) {
        return firstOfClass[number];
    }

    /** Returns the switch of a sender, of which there is a row for each class. */
    int switchOfClass(int at) {
        return switchOfClass[at];
    }
}
