package org.railyard.sm;

import java.util.LinkedHashSet;
import java.util.Set;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.PathSls;

/**
 * Paths whose SL another routing changes: whoever uses them asked for the old one, and would go on with it (spec 41
 * §2.2).
 *
 * @param count pairs of SL classes and QoS level with another SL
 * @param example one of them in words
 */
record SlChanges(long count, String example) {
    /** Compares the SLs between all end ports that have the same LID in both fabrics. */
    static SlChanges between(Fabric before, PathSls old, Fabric after, PathSls now) {
        return between(before, old, after, now, false);
    }

    /** The same without hosts that are in a cable to another port than before. */
    static SlChanges betweenStaying(Fabric before, PathSls old, Fabric after, PathSls now) {
        return between(before, old, after, now, true);
    }

    private static SlChanges between(Fabric before, PathSls old, Fabric after, PathSls now, boolean onlyStaying) {
        // Ports whose class is the same in both share all their SLs: one of each is enough.
        Set<Long> classes = new LinkedHashSet<>();
        int[] lids = new int[after.maxLid() + 1];
        int count = 0;
        boolean differ = !now.isKnownToAgree(old);
        for (int lid = 1; lid <= after.maxLid(); lid++) {
            int port = after.portOfLid(lid);
            int there = before.portOfLid(lid);
            boolean same = port != Fabric.NONE
                    && there != Fabric.NONE
                    && after.portGuid(port) == before.portGuid(there)
                    && old.classOf(lid) >= 0
                    && now.classOf(lid) >= 0
                    && !(onlyStaying && isMoved(before, there, after, port));
            if (same && classes.add((long) old.classOf(lid) << Integer.SIZE | now.classOf(lid))) {
                lids[count++] = lid;
                differ |= old.classOf(lid) != now.classOf(lid);
            }
        }
        return differ ? between(old, after, now, lids, count) : new SlChanges(0, "");
    }

    /** Tells whether a host is at another port of a switch than before. Switches are where they are. */
    private static boolean isMoved(Fabric before, int there, Fabric after, int here) {
        int old = before.cable(there);
        int now = after.cable(here);
        return !after.isSwitch(after.nodeOf(here))
                && old != Fabric.NONE
                && now != Fabric.NONE
                && (before.guid(before.nodeOf(old)) != after.guid(after.nodeOf(now))
                        || before.portNumber(old) != after.portNumber(now));
    }

    private static SlChanges between(PathSls old, Fabric after, PathSls now, int[] lids, int count) {
        long changed = 0;
        String example = "";
        for (int i = 0; i < count; i++) {
            for (int j = 0; j < count; j++) {
                for (int hint = 0; hint <= 8; hint += 8) {
                    int a = old.sl(lids[i], lids[j], hint);
                    int b = now.sl(lids[i], lids[j], hint);
                    if (a != b) {
                        example = changed == 0
                                ? "%s to %s: SL %d becomes %d"
                                        .formatted(name(after, lids[i]), name(after, lids[j]), a, b)
                                : example;
                        changed++;
                    }
                }
            }
        }
        return new SlChanges(changed, example);
    }

    private static String name(Fabric fabric, int lid) {
        return fabric.portName(fabric.portOfLid(lid));
    }

    /** Returns in words why a change is made that only hosts at other places have. */
    String movedText() {
        return ("hosts are at other places than before, with other SLs of %d paths (%s): packets with the old ones"
                        + " close no credit loop; clients are asked to register again")
                .formatted(count, example);
    }

    /** Returns in words what changes because somebody has allowed it. */
    String allowedText() {
        return "the new routes change the SL of %d paths between switches in use (%s)".formatted(count, example)
                + "; clients are asked to register again";
    }

    /** Returns it in words. */
    String text() {
        return "the new routes would change the SL of %d paths between switches in use (%s); nothing was written: allow"
                        .formatted(count, example)
                + " it with --allow-sl-change, and have applications ask for their paths again";
    }
}
