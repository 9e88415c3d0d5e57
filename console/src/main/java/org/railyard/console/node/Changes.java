package org.railyard.console.node;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.railyard.control.figures.Rated;
import org.railyard.control.figures.Reading.Counters;

/** What happened between two readings, in words: for nodes that do not tell their events. */
final class Changes {
    /** Most that are told of one reading; the rest is counted. */
    static final int MAX = 20;

    private static final long FULL_HEALTH = 1000;

    private final List<Change> found = new ArrayList<>();
    private int more;

    private Changes() {}

    /**
     * Something that happened.
     *
     * @param bad whether it is a failure
     * @param text what happened
     */
    record Change(boolean bad, String text) {}

    /** Compares the NIs of a node, and those of its peers. */
    static List<Change> between(List<Rated> nis, List<Rated> nisNow, List<Rated> peers, List<Rated> peersNow) {
        Changes changes = new Changes();
        changes.compare("NI ", nis, nisNow);
        changes.compare("peer NI ", peers, peersNow);
        if (changes.more > 0) {
            changes.found.add(new Change(true, "and " + changes.more + " more at the same time"));
        }
        return changes.found;
    }

    private void compare(String what, List<Rated> before, List<Rated> now) {
        Map<String, Counters> earlier = new LinkedHashMap<>();
        before.forEach(each -> earlier.put(Rows.key(each), each.now()));
        for (Rated each : now) {
            Counters old = earlier.remove(Rows.key(each));
            String name = what + each.now().nid();
            if (old == null) {
                add(false, name + " is new");
            } else {
                compare(name, old, each.now());
            }
        }
        earlier.values().forEach(each -> add(false, what + each.nid() + " is gone"));
    }

    private void compare(String name, Counters old, Counters now) {
        if (!old.state().equals(now.state())) {
            add(!isUp(now.state()), name + " is " + now.state() + ", was " + old.state());
        }
        if (now.health() < old.health()) {
            add(true, name + ": health fell from " + old.health() + " to " + now.health());
        } else if (now.health() == FULL_HEALTH && old.health() < FULL_HEALTH) {
            add(false, name + " is well again");
        }
        if (now.dropped() > old.dropped()) {
            add(true, name + ": " + (now.dropped() - old.dropped()) + " messages dropped");
        }
    }

    private static boolean isUp(String state) {
        return state.equals("ACTIVE") || state.equals("up");
    }

    private void add(boolean bad, String text) {
        if (found.size() < MAX) {
            found.add(new Change(bad, text));
        } else {
            more++;
        }
    }
}
