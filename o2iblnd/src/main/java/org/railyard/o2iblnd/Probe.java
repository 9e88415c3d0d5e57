package org.railyard.o2iblnd;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.nid.Net;
import org.railyard.o2iblnd.bond.BondFinding;
import org.railyard.o2iblnd.bond.Target;
import org.railyard.o2iblnd.cm.ConnectFailure;
import org.railyard.o2iblnd.peer.IbPeer;
import org.railyard.o2iblnd.peer.RouteSet;
import org.railyard.o2iblnd.tune.O2ibTunable;

/** Tries each route to each target. Belongs to the loop. */
final class Probe {
    private final List<IbPeer> routes = new ArrayList<>();
    private final List<BondFinding> findings = new ArrayList<>();
    private int left;

    Probe(List<IbNi> nis, List<Target> targets, @Nullable Net only) {
        for (IbNi ni : nis) {
            for (Target target : targets) {
                boolean remote = nis.stream().noneMatch(each -> each.ni().nid().equals(target.nid()));
                boolean wanted = only == null || target.nid().isOn(only);
                RouteSet set = ni.context().isBonded()
                                && remote
                                && wanted
                                && target.nid().isOn(ni.ni().net())
                        ? ni.routes(target.nid())
                        : null;
                if (set != null) {
                    set.build();
                    routes.addAll(set.routes());
                }
            }
        }
    }

    /** Tries them all at once; completes the result when all have ended. */
    void begin(CompletableFuture<List<BondFinding>> result) {
        left = routes.size();
        if (routes.isEmpty()) {
            result.complete(List.of());
        }
        for (IbPeer route : routes) {
            route.probe(failure -> {
                ended(route, failure);
                left--;
                if (left == 0) {
                    result.complete(List.copyOf(findings));
                }
            });
        }
    }

    private void ended(IbPeer route, @Nullable ConnectFailure failure) {
        if (failure == null) {
            return;
        }
        findings.add(BondFinding.error("cb-132", route.toString(), "can not be connected: " + failure.text()));
        if (failure.nobodyListens()) {
            findings.add(BondFinding.error(
                    "cb-133",
                    route.toString(),
                    "nobody listens there on port " + route.ni().tunable(O2ibTunable.SERVICE)
                            + ", the value of service: it may differ on the peer, or the address is none of a group"));
        }
    }
}
