package org.railyard.fabric.torus.placement;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.Refusal;
import org.railyard.fabric.torus.conf.SeedLink;
import org.railyard.fabric.torus.conf.SeedRules;
import org.railyard.fabric.torus.conf.TorusConf;
import org.railyard.fabric.torus.conf.TorusSeed;
import org.railyard.fabric.torus.grid.TorusGroup;

/** Chooses the seed and places the switches (spec 30 §2, §3). */
public final class Placer {
    private final Fabric fabric;
    private final SwitchGraph graph;
    private final TorusConf conf;

    /** Prepares the search of {@code fabric}, whose switches and cables are {@code graph}. */
    public Placer(Fabric fabric, SwitchGraph graph, TorusConf conf) {
        this.fabric = fabric;
        this.graph = graph;
        this.conf = conf;
    }

    /**
     * Returns the placement by the seed that places most switches, the first of equals.
     *
     * @param asOpenSm take the first seed whose switches are all there, and leave out what OpenSM does not find; where
     *     it finds a switch twice, which it refuses, the places are those that it would have without this mistake
     * @param problems gets the reason if there is none
     * @return null if no seed has all its switches
     */
    @Nullable
    public Placement place(boolean asOpenSm, List<Refusal.Reason> problems) {
        PositionSearch best = null;
        int bestSeed = 0;
        SequencedMap<Integer, Long> absent = new LinkedHashMap<>();
        for (int i = 0; i < conf.seeds().size(); i++) {
            TorusSeed seed = conf.seeds().get(i);
            Long missing = missingSwitch(seed);
            if (missing != null) {
                absent.put(i, missing);
                continue;
            }
            if (asOpenSm) {
                OpenSmSearch theirs = likeOpenSm(i);
                if (theirs.twice().isEmpty()) {
                    return Placement.of(fabric, graph, conf.shape(), theirs.switchAt(), theirs.positionOf(), i);
                }
            }
            PositionSearch found = discover(seed);
            if (best == null || found.placed() > best.placed()) {
                best = found;
                bestSeed = i;
            }
            if (asOpenSm || found.placed() == fabric.switchCount()) {
                break;
            }
        }
        if (best == null) {
            StringBuilder text = new StringBuilder("no seed has all its switches:");
            absent.forEach((seed, guid) -> text.append(" seed ")
                    .append(seed)
                    .append(" lacks ")
                    .append(SeedRules.hex(guid))
                    .append(';'));
            problems.add(new Refusal.Reason("4E30", text + " is this the configuration of another fabric?"));
            return null;
        }
        return of(best, bestSeed);
    }

    /** Returns the placement by the same seed without the rules of OpenSM, if it has more switches; else the same. */
    public Placement fuller(Placement asOpenSm) {
        PositionSearch found = discover(conf.seeds().get(asOpenSm.seed()));
        return found.placed() > asOpenSm.grid().switches() ? of(found, asOpenSm.seed()) : asOpenSm;
    }

    private Placement of(PositionSearch found, int seed) {
        return Placement.of(fabric, graph, conf.shape(), found.switchAt(), found.positionOf(), seed);
    }

    private @Nullable Long missingSwitch(TorusSeed seed) {
        for (SeedLink link : seed.links().values()) {
            if (switchOf(link.from()) < 0) {
                return link.from();
            }
            if (switchOf(link.to()) < 0) {
                return link.to();
            }
        }
        return null;
    }

    /**
     * Returns the switch with this GUID, −1 if there is none; without any cable to another switch it is as good as
     * absent.
     */
    private int switchOf(long guid) {
        int node = fabric.nodeOfGuid(guid);
        return node >= 0 && fabric.isSwitch(node) && graph.neighbours(node).length > 0 ? node : -1;
    }

    private PositionSearch discover(TorusSeed seed) {
        return PositionSearch.run(conf.shape(), graph, start(seed), neighbours(seed), seed.position(conf.shape()));
    }

    /**
     * Searches as OpenSM does.
     *
     * @param seed number of a seed whose switches are all there
     */
    public OpenSmSearch likeOpenSm(int seed) {
        TorusSeed from = conf.seeds().get(seed);
        return OpenSmSearch.run(conf.shape(), graph, start(from), neighbours(from), from.position(conf.shape()));
    }

    private int start(TorusSeed seed) {
        return switchOf(seed.links().firstEntry().getValue().from());
    }

    private int[] neighbours(TorusSeed seed) {
        int[] neighbours = new int[TorusGroup.COUNT];
        Arrays.fill(neighbours, -1);
        seed.links().forEach((group, link) -> neighbours[group] = switchOf(link.to()));
        return neighbours;
    }
}
