package org.railyard.fabric.torus;

import java.util.ArrayList;
import java.util.List;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.torus.acceptance.GridVerdict;
import org.railyard.fabric.torus.conf.SeedRules;
import org.railyard.fabric.torus.conf.TorusConf;
import org.railyard.fabric.torus.conf.TorusSeed;
import org.railyard.fabric.torus.grid.TorusGrid;
import org.railyard.fabric.torus.grid.TorusGroup;
import org.railyard.fabric.torus.grid.TorusShape;
import org.railyard.fabric.torus.placement.Placement;
import org.railyard.fabric.torus.qos.DataVls;
import org.railyard.fabric.torus.qos.QosMode;

/** What a run tells people: what was looked for, what was found, what is missing (spec 30 §11(7)). */
final class TorusNotes {
    /** Most missing things that are named one by one. */
    private static final int MAX_NAMED = 64;

    private TorusNotes() {}

    static List<String> of(
            Fabric fabric, TorusConf conf, Placement placement, DataVls vls, QosMode mode, GridVerdict verdict) {
        TorusGrid grid = placement.grid();
        List<String> notes = new ArrayList<>();
        notes.add("looking for a " + grid.shape() + " torus; placed " + grid.switches() + " of " + fabric.switchCount()
                + " switches");
        notes.add(seed(fabric, conf, placement));
        notes.add("data VLs: " + vls.switches() + " between switches, " + vls.ends() + " at end ports; mode " + mode);
        notes.addAll(vls.warnings());
        missing(fabric, placement, notes);
        if (placement.strayCables() > 0) {
            notes.add(placement.strayCables() + " cables between switches are not part of the torus and not used");
        }
        notes.add(verdict.tree()
                .map(tree -> "multicast root at " + grid.shape().name(tree.root()))
                .orElse("warning: no multicast tree is free of credit loops; no group can be routed"));
        return notes;
    }

    private static String seed(Fabric fabric, TorusConf conf, Placement placement) {
        TorusSeed seed = conf.seeds().get(placement.seed());
        int position = seed.position(conf.shape());
        String which = placement.seed() == 0 ? "the default" : "backup " + placement.seed();
        return "seed: " + which + ", switch " + conf.shape().name(position) + " GUID "
                + SeedRules.hex(fabric.guid(placement.switchAt(position)));
    }

    private static void missing(Fabric fabric, Placement placement, List<String> notes) {
        TorusGrid grid = placement.grid();
        TorusShape shape = grid.shape();
        List<String> missing = new ArrayList<>();
        for (int position = 0; position < shape.positions(); position++) {
            if (!grid.isPresent(position)) {
                missing.add("missing switch at " + shape.name(position));
                continue;
            }
            for (int group = 0; group < TorusGroup.COUNT; group++) {
                if (shape.step(position, group) >= 0 && !grid.isCabled(position, group)) {
                    missing.add("missing " + TorusGroup.name(group) + " link on switch " + shape.name(position)
                            + " GUID " + SeedRules.hex(fabric.guid(placement.switchAt(position))));
                }
            }
        }
        notes.addAll(missing.subList(0, Math.min(MAX_NAMED, missing.size())));
        if (missing.size() > MAX_NAMED) {
            notes.add("and " + (missing.size() - MAX_NAMED) + " more missing switches and links");
        }
    }
}
