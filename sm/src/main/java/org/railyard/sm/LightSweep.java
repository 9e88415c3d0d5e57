package org.railyard.sm;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.railyard.mad.smp.Modifiers;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.smp.SwitchInfo;
import org.railyard.mad.transport.MadRequests;
import org.railyard.mad.transport.RequestOutcome;
import org.railyard.mad.wire.DirectedPath;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.sm.role.Mastership;
import org.railyard.sm.subnet.ManagedNode;
import org.railyard.sm.subnet.SubnetRequests;

/**
 * Asks every switch whether a port changed, other subnet managers what they are, and, where M_Keys have a lease, every
 * port whether it has its key (spec 41 §2, §9). Writes nothing. For the loop of the transport, and to be used once.
 */
final class LightSweep {
    private final SmSettings settings;
    private final boolean isComplete;
    private final boolean isRefused;
    private final SubnetRequests exchange;
    private final List<String> reasons = new ArrayList<>();
    private boolean isAnyInDoubt;

    /**
     * What it found.
     *
     * @param why why a heavy sweep is needed; null if none is
     * @param isAnyInDoubt whether that has to read everything, not only what switches tell of
     */
    record Ended(@Nullable String why, boolean isAnyInDoubt) {}

    /**
     * Makes one; nothing is sent.
     *
     * @param isComplete whether the heavy sweep before it was
     * @param isRefused whether that had no routes that may be used
     * @param done is called once, when all have answered or are given up
     */
    LightSweep(MadRequests requests, SmSettings settings, boolean isComplete, boolean isRefused, Consumer<Ended> done) {
        this.settings = settings;
        this.isComplete = isComplete;
        this.isRefused = isRefused;
        this.exchange = new SubnetRequests(
                requests,
                settings.requests(),
                () -> done.accept(new Ended(reasons.isEmpty() ? null : reasons.getFirst(), isAnyInDoubt)));
    }

    /** Asks all of them. */
    void start(Collection<ManagedNode> nodes, Mastership mastership) {
        exchange.begin(() -> {
            for (ManagedNode node : nodes) {
                DirectedPath path = node.isSwitch() ? node.path(0) : null;
                if (path != null) {
                    exchange.ask(
                            Mad.directed(MadMethod.GET, SwitchInfo.TYPE, 0, path), outcome -> answered(node, outcome));
                }
                if (settings.ports().key().isLeased()) {
                    showKey(node);
                }
            }
            mastership.look(exchange, isComplete, isRefused, this::doubt);
        });
    }

    private void changed(String why) {
        reasons.add("light sweep: " + why);
    }

    private void doubt(String why) {
        isAnyInDoubt = true;
        changed(why);
    }

    private void answered(ManagedNode node, RequestOutcome outcome) {
        SwitchInfo said = outcome.good(SwitchInfo.TYPE);
        if (outcome instanceof RequestOutcome.Cancelled) {
            // The sweep that this one is ended for says nothing of the node.
            return;
        }
        if (said == null) {
            doubt(node.name() + " does not answer");
        } else if (said.isSet(SwitchInfo.STATE_CHANGE)) {
            node.current(false);
            changed("a port of " + node.name() + " changed");
        }
    }

    /** Without it the lease of a port that nobody asks ends, and then everybody may change the port. */
    private void showKey(ManagedNode node) {
        for (int port = 0; port <= node.lastPort(); port++) {
            DirectedPath path = node.isEndPort(port) ? node.path(port) : null;
            if (path != null && !node.held().isIgnored(port, PortInfo.M_KEY) && hadKey(node.port(port))) {
                Mad question = Mad.directed(MadMethod.GET, PortInfo.TYPE, Modifiers.port(port), path);
                String name = node.portName(port);
                exchange.ask(question, outcome -> {
                    PortInfo said = outcome.good(PortInfo.TYPE);
                    if (said == null || !hasKey(said)) {
                        doubt(name + " does not answer, or has another M_Key");
                    }
                });
            }
        }
    }

    /** A port that was silent or without the key in an incomplete sweep is known: the next heavy one is for it. */
    private boolean hadKey(@Nullable PortInfo said) {
        return isComplete || said != null && hasKey(said);
    }

    private boolean hasKey(PortInfo said) {
        return said.get(PortInfo.M_KEY) == settings.ports().key().key();
    }
}
