package org.railyard.sm.role;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.model.Fabric;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.smp.SmInfo;
import org.railyard.mad.transport.MadRequests;
import org.railyard.mad.transport.RequestOutcome;
import org.railyard.mad.transport.RequestSettings;
import org.railyard.mad.wire.DirectedPath;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.sm.discover.FoundSubnet;
import org.railyard.sm.subnet.ManagedNode;
import org.railyard.sm.subnet.SubnetRequests;

/** Asks every port that says that a subnet manager is there, and the one by which another was noticed. */
final class ManagerSearch {
    /** Most subnet managers of a subnet that are asked; a subnet has a few. */
    static final int MAX_MANAGERS = 64;

    private ManagerSearch() {}

    /**
     * A port that says that a subnet manager is there.
     *
     * @param path by which it is asked
     * @param lid of the port, 0 if it has none
     */
    record Place(String name, DirectedPath path, int lid, long guid) {
        /** Returns the subnet manager there, null if it does not answer or is none of this port. */
        @Nullable
        OtherManager heard(RequestOutcome outcome) {
            SmInfo info = outcome.good(SmInfo.TYPE);
            OtherManager other = info == null ? null : OtherManager.of(name, path, lid, info);
            return other != null && other.guid() == guid ? other : null;
        }
    }

    /**
     * What a search has found.
     *
     * @param heard those that answered, in the order of answers
     * @param places all that were asked
     */
    record Result(List<OtherManager> heard, List<Place> places) {}

    /**
     * Asks them.
     *
     * @param limits of each question; a port without a subnet manager does not answer
     * @param foreignLid LID of a subnet manager whose port may not say so, 0 if there is none
     * @param done is told what it has found
     */
    static void start(
            MadRequests requests, RequestSettings limits, FoundSubnet found, int foreignLid, Consumer<Result> done) {
        Result result = new Result(new ArrayList<>(), new ArrayList<>());
        SubnetRequests exchange = new SubnetRequests(requests, limits, () -> done.accept(result));
        exchange.begin(() -> {
            Fabric fabric = found.fabric();
            int asked = 0;
            for (int port = 0; port < fabric.portCount() && asked < MAX_MANAGERS; port++) {
                if (fabric.isEndPort(port)
                        && port != found.smPort()
                        && ask(exchange, found, port, foreignLid, result)) {
                    asked++;
                }
            }
        });
    }

    private static boolean ask(SubnetRequests exchange, FoundSubnet found, int port, int foreignLid, Result result) {
        Fabric fabric = found.fabric();
        ManagedNode node = found.nodes().get(fabric.nodeOf(port));
        int number = fabric.portNumber(port);
        PortInfo said = node.port(number);
        DirectedPath path = node.path(number);
        if (said == null || path == null) {
            return false;
        }
        int lid = said.getInt(PortInfo.LID);
        if (!said.can(PortInfo.CAP_IS_SM) && (lid == 0 || lid != foreignLid)) {
            return false;
        }
        Place place = new Place(fabric.portName(port), path, lid, fabric.portGuid(port));
        result.places.add(place);
        exchange.ask(question(path), outcome -> {
            OtherManager other = place.heard(outcome);
            if (other != null) {
                result.heard.add(other);
            }
        });
        return true;
    }

    /** Makes the question who a subnet manager is. */
    static Mad question(DirectedPath path) {
        return Mad.directed(MadMethod.GET, SmInfo.TYPE, 0, path);
    }
}
