package org.railyard.mad.transport;

import java.util.Arrays;
import java.util.List;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.wire.DirectedRoute;
import org.railyard.mad.wire.LidRoute;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.mad.wire.MgmtClass;

/**
 * The M_Keys that agents may have, and which of them each is asked with (spec 40 §7): while a key is changed some
 * agents have the old one. An agent says nothing to a request with a wrong key, so silence is a reason to try another.
 */
final class TargetKeys {
    /** As long as nobody has set any: a MAD keeps the key that it came with. */
    private static final long[] UNSET = {0};

    private long[] keys = UNSET;

    /** How often keys were set. Guesses from before count no more: a path may lead to another node by now. */
    private long era = 1;

    /** The key that an agent was last seen to have: what nothing is known of is asked with it, most have the same. */
    private int likely;

    /** What is known of one target. */
    static final class Guess {
        private long key;
        private long era;
        private boolean wasSilent;
    }

    void set(List<Long> newKeys) {
        if (newKeys.isEmpty()) {
            throw new IllegalArgumentException("no M_Key; 0 is for none");
        }
        keys = newKeys.stream().mapToLong(Long::longValue).toArray();
        era++;
        likely = 0;
    }

    /** Writes the key that most have into a MAD. */
    void write(Mad mad) {
        write(mad, keys[likely]);
    }

    /** Writes the key for the next request to a target into it. */
    void write(Mad mad, Guess guess) {
        write(mad, keys[index(guess)]);
    }

    private int index(Guess guess) {
        return guess.era == era ? indexOf(guess.key) : likely;
    }

    private int indexOf(long key) {
        for (int i = 1; i < keys.length; i++) {
            if (keys[i] == key) {
                return i;
            }
        }
        return 0;
    }

    /** Notes that there was no answer: the next request has another key, unless it has already. */
    void silent(Guess guess, Mad request) {
        if (keys.length > 1 && read(request) == keys[index(guess)]) {
            learn(guess, keys[(index(guess) + 1) % keys.length]);
            guess.wasSilent = true;
        }
    }

    /** Notes an answer. PortInfo tells the key to those who have it, and the one that a Set has just given. */
    void answered(Guess guess, Mad request, Mad answer) {
        if (keys.length == 1 || !MgmtClass.isSmp(answer.mgmtClass())) {
            return;
        }
        long said = answer.isAbout(PortInfo.TYPE) ? answer.data(PortInfo.TYPE).get(PortInfo.M_KEY) : 0;
        boolean isOurs = said != 0 && Arrays.stream(keys).anyMatch(key -> key == said);
        long key = isOurs ? said : read(request);
        // Some agents let everybody read, so that an answer alone says little.
        boolean isSeen = isOurs || request.is(MadMethod.SET, false) || guess.era == era && guess.wasSilent;
        likely = isSeen ? indexOf(key) : likely;
        learn(guess, key);
        guess.wasSilent = false;
    }

    private void learn(Guess guess, long key) {
        guess.key = key;
        guess.era = era;
    }

    private static long read(Mad mad) {
        return switch (mad.mgmtClass()) {
            case MgmtClass.SMP_DIRECTED -> mad.directedRoute().get(DirectedRoute.M_KEY);
            case MgmtClass.SMP_LID -> mad.lidRoute().get(LidRoute.M_KEY);
            default -> 0;
        };
    }

    /** Writes a key into a SMP that asks, or into TrapRepress; other MADs have none. */
    private void write(Mad mad, long key) {
        if (keys == UNSET) {
            return;
        }
        if (mad.mgmtClass() == MgmtClass.SMP_DIRECTED) {
            mad.directedRoute().set(DirectedRoute.M_KEY, key);
        } else if (mad.mgmtClass() == MgmtClass.SMP_LID && !mad.is(MadMethod.TRAP, false)) {
            mad.lidRoute().set(LidRoute.M_KEY, key);
        }
    }
}
