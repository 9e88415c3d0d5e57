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
import org.railyard.mad.wire.MadStatus;
import org.railyard.sm.discover.FoundSubnet;
import org.railyard.sm.subnet.ManagedNode;
import org.railyard.sm.subnet.SubnetRequests;

/** Asks every port that says that a subnet manager is there. */
final class ManagerSearch {
    /** Most subnet managers of a subnet that are asked; a subnet has a few. */
    static final int MAX_MANAGERS = 64;

    private ManagerSearch() {}

    /**
     * Asks them.
     *
     * @param limits of each question; a port without a subnet manager does not answer
     * @param done is told those that answered, in the order of ports
     */
    static void start(
            MadRequests requests, RequestSettings limits, FoundSubnet found, Consumer<List<OtherManager>> done) {
        List<OtherManager> heard = new ArrayList<>();
        SubnetRequests exchange = new SubnetRequests(requests, limits, () -> done.accept(List.copyOf(heard)));
        exchange.begin(() -> {
            Fabric fabric = found.fabric();
            int asked = 0;
            for (int port = 0; port < fabric.portCount() && asked < MAX_MANAGERS; port++) {
                if (fabric.isEndPort(port) && port != found.smPort() && ask(exchange, found, port, heard)) {
                    asked++;
                }
            }
        });
    }

    private static boolean ask(SubnetRequests exchange, FoundSubnet found, int port, List<OtherManager> heard) {
        Fabric fabric = found.fabric();
        ManagedNode node = found.nodes().get(fabric.nodeOf(port));
        int number = fabric.portNumber(port);
        PortInfo said = node.port(number);
        DirectedPath path = node.path(number);
        if (said == null || path == null || (said.get(PortInfo.CAPABILITY_MASK) & PortInfo.CAP_IS_SM) == 0) {
            return false;
        }
        int lid = said.getInt(PortInfo.LID);
        exchange.ask(Mad.directed(MadMethod.GET, SmInfo.TYPE, 0, path), outcome -> {
            SmInfo info = said(outcome);
            if (info != null) {
                OtherManager other = OtherManager.of(fabric.portName(port), path, lid, info);
                if (other.guid() == fabric.portGuid(port)) {
                    heard.add(other);
                }
            }
        });
        return true;
    }

    /** Returns what a subnet manager answered, null if it did not. */
    static @Nullable SmInfo said(RequestOutcome outcome) {
        return outcome instanceof RequestOutcome.Answered answered
                        && answered.mad().status() == MadStatus.OK
                ? answered.mad().data(SmInfo.TYPE)
                : null;
    }
}
