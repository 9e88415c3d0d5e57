package org.railyard.lab.check;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.railyard.lab.observe.NodeRun;
import org.railyard.lnet.api.NiInfo;

/**
 * While only others break, no NI of a node that runs loses health or is announced as down: that a peer is silent is no
 * evidence against the NI that asked it (spec 10 §11.1). Looks once a second: recovery begins a second after the
 * failure, so that none is missed.
 */
public final class OwnNis extends Checker {
    private static final int WELL = 1000;

    private final Set<String> told = new LinkedHashSet<>();

    /** Makes the checker. */
    public OwnNis(Violations findings) {
        super("own-nis", findings);
    }

    @Override
    public void tick(long now, List<NodeRun> lives) {
        for (NodeRun life : lives) {
            for (NiInfo ni : life.lnet().nis()) {
                boolean inRecovery = life.lnet().localRecovery().contains(ni.nid());
                if ((ni.health() != WELL || !ni.up() || inRecovery) && told.add(life + " " + ni.nid())) {
                    report(life + " has its own NI " + ni.nid() + " at " + ni.health() + (ni.up() ? "" : ", down")
                            + (inRecovery ? ", in recovery" : "") + ", though nothing of its own broke");
                }
            }
        }
    }

    @Override
    public void atRest(List<NodeRun> lives) {
        tick(0, lives);
    }
}
