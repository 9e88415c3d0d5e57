package org.railyard.fabric.torus;

import java.util.ArrayList;
import java.util.List;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.torus.conf.SeedRules;
import org.railyard.fabric.torus.grid.TorusShape;
import org.railyard.fabric.torus.placement.Placement;

/** What changed between two runs, in at most {@code max_changes} lines (spec 30 §11(6)). */
public final class TorusChanges {
    private final TorusPlan before;
    private final TorusPlan after;
    private final List<String> lines = new ArrayList<>();
    private int changes;

    private TorusChanges(TorusPlan before, TorusPlan after) {
        this.before = before;
        this.after = after;
    }

    /**
     * Returns the differences, position by position; if there are more than the later configuration allows, one line at
     * the end says how many are left out. Empty if nothing changed.
     */
    public static List<String> between(TorusPlan before, TorusPlan after) {
        TorusChanges report = new TorusChanges(before, after);
        TorusShape then = before.conf().shape();
        TorusShape now = after.conf().shape();
        if (!then.equals(now)) {
            report.add("radices changed from " + then + " to " + now + ": positions are not compared");
        } else {
            for (int position = 0; position < now.positions(); position++) {
                report.compare(position);
            }
        }
        int hidden = report.changes - report.lines.size();
        if (hidden > 0) {
            report.lines.add("too many changes: " + hidden + " more");
        }
        return List.copyOf(report.lines);
    }

    private void add(String line) {
        changes++;
        if (lines.size() < after.conf().maxChanges()) {
            lines.add(line);
        }
    }

    private void compare(int position) {
        String name = after.conf().shape().name(position);
        int then = before.placement().switchAt(position);
        int now = after.placement().switchAt(position);
        if (then == Placement.NONE && now == Placement.NONE) {
            return;
        }
        if (then == Placement.NONE) {
            add("new switch at " + name + " GUID "
                    + SeedRules.hex(after.fabric().guid(now)));
        } else if (now == Placement.NONE) {
            add("lost switch at " + name + " GUID "
                    + SeedRules.hex(before.fabric().guid(then)));
        } else {
            compareSwitches(name, then, now);
        }
    }

    private void compareSwitches(String name, int then, int now) {
        long oldGuid = before.fabric().guid(then);
        long newGuid = after.fabric().guid(now);
        if (oldGuid != newGuid) {
            add("switch at " + name + " was GUID " + SeedRules.hex(oldGuid) + ", is GUID " + SeedRules.hex(newGuid));
        }
        int last = Math.max(before.fabric().ports(then), after.fabric().ports(now));
        for (int port = 1; port <= last; port++) {
            if (isSameEnd(then, now, port)) {
                continue;
            }
            String wasAt = farEnd(before.fabric(), then, port);
            String isAt = farEnd(after.fabric(), now, port);
            String where = "port " + port + " of switch " + name;
            if (wasAt.isEmpty()) {
                add(where + " now leads to " + isAt);
            } else if (isAt.isEmpty()) {
                add(where + " lost " + wasAt);
            } else {
                add(where + " led to " + wasAt + ", leads to " + isAt);
            }
        }
    }

    private boolean isSameEnd(int then, int now, int port) {
        int was = peer(before.fabric(), then, port);
        int is = peer(after.fabric(), now, port);
        return was == Fabric.NONE || is == Fabric.NONE
                ? was == is
                : before.fabric().guid(before.fabric().nodeOf(was))
                                == after.fabric().guid(after.fabric().nodeOf(is))
                        && before.fabric().portNumber(was) == after.fabric().portNumber(is);
    }

    private static int peer(Fabric fabric, int at, int port) {
        return port > fabric.ports(at) ? Fabric.NONE : fabric.peer(fabric.portIndex(at, port));
    }

    private static String farEnd(Fabric fabric, int at, int port) {
        int peer = peer(fabric, at, port);
        return peer == Fabric.NONE
                ? ""
                : "GUID " + SeedRules.hex(fabric.guid(fabric.nodeOf(peer))) + " port " + fabric.portNumber(peer);
    }
}
