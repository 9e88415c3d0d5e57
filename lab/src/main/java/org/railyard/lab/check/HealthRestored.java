package org.railyard.lab.check;

import java.util.ArrayList;
import java.util.List;
import org.railyard.lab.observe.NodeRun;
import org.railyard.lnet.api.NiInfo;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.api.RouteInfo;

/**
 * After the last repair, and enough time, all NIs are well again (spec 10 §11.3, §13), and all routes up (spec 11
 * §6.4).
 */
public final class HealthRestored extends Checker {
    private static final int WELL = 1000;
    private static final int MAX_NAMED = 4;

    /** Makes the checker. */
    public HealthRestored(Violations findings) {
        super("health", findings);
    }

    /** Tells whether everybody finds everybody well. */
    public static boolean isRestored(List<NodeRun> lives) {
        return lives.stream().allMatch(life -> ill(life).isEmpty());
    }

    private static List<String> ill(NodeRun life) {
        List<String> ill = new ArrayList<>();
        for (NiInfo ni : life.lnet().nis()) {
            if (ni.health() != WELL || !ni.up()) {
                ill.add(life + " has its own " + ni.nid() + " at " + ni.health() + (ni.up() ? "" : ", down"));
            }
        }
        for (RouteInfo route : life.lnet().routes().list()) {
            route.down()
                    .ifPresent(why -> ill.add(life + " has its route to " + route.net() + " through " + route.gateway()
                            + " down: " + why.text()));
        }
        for (PeerInfo peer : life.lnet().peers()) {
            for (PeerInfo.PeerNiInfo ni : peer.nis()) {
                if (ni.health() != WELL && wasHeard(ni)) {
                    ill.add(life + " has peer NI " + ni.nid() + " at " + ni.health());
                }
            }
        }
        return ill;
    }

    /** A NID that was never heard is not pinged (spec 10 §13), so nothing can raise its health. */
    private static boolean wasHeard(PeerInfo.PeerNiInfo ni) {
        return ni.traffic().received().sum() > 0;
    }

    @Override
    public void atRest(List<NodeRun> lives) {
        List<String> ill = lives.stream().flatMap(life -> ill(life).stream()).toList();
        if (!ill.isEmpty()) {
            report(ill.size() + " NIs are not back at " + WELL + ", or routes not up: "
                    + String.join("; ", ill.subList(0, Math.min(MAX_NAMED, ill.size())))
                    + (ill.size() > MAX_NAMED ? " …" : ""));
        }
    }
}
