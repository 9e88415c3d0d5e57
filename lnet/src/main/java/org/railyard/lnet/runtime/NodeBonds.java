package org.railyard.lnet.runtime;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.api.Bond;
import org.railyard.lnet.api.Bonds;
import org.railyard.lnet.bond.BondTable;
import org.railyard.lnet.discovery.Discovery;
import org.railyard.lnet.discovery.PingTarget;
import org.railyard.lnet.model.ActiveBond;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.Peer;
import org.railyard.lnet.stack.Node;

/** Bonds as they are configured and looked at from outside, and what follows from a change. Thread-safe. */
final class NodeBonds implements Bonds {
    private final Node node;
    private final PingTarget pingTarget;
    private final Discovery discovery;
    private final Runnable checkConfigurable;

    /**
     * Makes it.
     *
     * @param checkConfigurable throws if the calling thread may not change the configuration
     */
    NodeBonds(Node node, PingTarget pingTarget, Discovery discovery, Runnable checkConfigurable) {
        this.node = node;
        this.pingTarget = pingTarget;
        this.discovery = discovery;
        this.checkConfigurable = checkConfigurable;
    }

    private BondTable table() {
        return node.nis.bonds();
    }

    @Override
    public void add(Bond bond, int index) {
        change(() -> table().add(bond, index));
    }

    @Override
    public void change(Bond bond) {
        change(() -> table().change(bond));
    }

    @Override
    public void delete(String name) {
        change(() -> table().delete(name));
    }

    private void change(Runnable action) {
        checkConfigurable.run();
        node.lock.lock();
        try {
            boolean wereLocal = !table().local().isEmpty();
            Map<LocalNi, @Nullable ActiveBond> before = new LinkedHashMap<>();
            node.nis.all().forEach(ni -> before.put(ni, ni.bond));
            action.run();
            before.keySet().forEach(table()::apply);
            for (Peer peer : node.peers.all()) {
                peer.nis().forEach(table()::apply);
            }
            discovery.pushTracker().bondsChanged(wereLocal, before);
            if (!wereLocal && table().local().isEmpty()) {
                return;
            }
        } finally {
            node.lock.unlock();
        }
        pingTarget.rebuild();
        discovery.publish(false);
    }

    @Override
    public List<Bond> list() {
        return node.locked(any -> table().all());
    }
}
