package org.railyard.lnet;

import java.util.Comparator;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.lnet.api.Distance;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.model.LocalNet;
import org.railyard.lnet.model.Route;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.stack.Node;

/** How far NIDs are (spec 10 §5.5). */
final class Distances {
    private Distances() {}

    /**
     * Tells how far a NID is.
     *
     * @throws ErrnoException EHOSTUNREACH if it is on no local net and no route leads to its net
     */
    static Distance of(Nid nid, Node node) {
        node.lock.assertHeld();
        int own = node.settings.is(Tunable.LOCAL_NID_DIST_ZERO) ? 0 : 1;
        if (nid.isLoopback()) {
            return new Distance(own, 0, nid);
        }
        if (node.nis.find(nid) != null) {
            return new Distance(own, 1, nid);
        }
        int order = 2;
        for (LocalNet net : node.nis.nets()) {
            if (nid.isOn(net.net())) {
                return new Distance(1, order, net.nis.getFirst().nid());
            }
            order += net.nis.size();
        }
        for (Net net : node.routes.nets()) {
            Route shortest = node.routes.to(net).stream()
                    .min(Comparator.comparingInt(Route::distance))
                    .orElseThrow();
            LocalNet near = node.nis.net(shortest.near());
            if (nid.isOn(net) && near != null) {
                return new Distance(
                        1 + shortest.distance(), order, near.nis.getFirst().nid());
            }
            order++;
        }
        throw new ErrnoException(Errno.EHOSTUNREACH, nid + " is on no local net and no route leads there");
    }
}
