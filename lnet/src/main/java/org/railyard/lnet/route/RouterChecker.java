package org.railyard.lnet.route;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.railyard.base.host.StateLock;
import org.railyard.lnet.api.PeerState;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.model.Gateway;
import org.railyard.lnet.model.Peer;
import org.railyard.lnet.model.PeerNet;
import org.railyard.lnet.peer.NiTable;

/**
 * Discovers each gateway again and again, over each of its nets that is one of ours in turn (spec 11 §6.3).
 */
public final class RouterChecker {
    private static final long SECOND = 1_000_000_000L;

    private final StateLock lock;
    private final RouteTable routes;
    private final NiTable nis;
    private final Supplier<Settings> settings;
    private final Consumer<Peer> discovery;

    /**
     * Makes a checker.
     *
     * @param lock guards what it looks at
     * @param settings returns the tunables as they are now
     * @param discovery starts the discovery of a peer
     */
    public RouterChecker(
            StateLock lock, RouteTable routes, NiTable nis, Supplier<Settings> settings, Consumer<Peer> discovery) {
        this.lock = lock;
        this.routes = routes;
        this.nis = nis;
        this.settings = settings;
        this.discovery = discovery;
    }

    /** Tells whether gateways are checked. */
    public static boolean isOn(Settings settings) {
        return settings.get(Tunable.ALIVE_ROUTER_CHECK_INTERVAL) > 0;
    }

    /**
     * Starts the checks that are due. Allocates nothing if there are none.
     *
     * @param now monotonic, ns
     */
    public void run(long now) {
        lock.assertHeld();
        if (routes.size() == 0 || !isOn(settings.get())) {
            return;
        }
        List<Gateway> gateways = routes.gateways();
        for (int i = 0; i < gateways.size(); i++) {
            Gateway gateway = gateways.get(i);
            // A check that gets no answer lasts until it ends; there is no second one meanwhile.
            PeerNet due = gateway.peer.is(PeerState.ROUTER_DISCOVERY) ? null : dueNet(gateway, now);
            if (due != null) {
                check(gateway, due, now);
            }
        }
    }

    /** Returns the next net behind the one that was checked last that is local and due, null if none is. */
    private @Nullable PeerNet dueNet(Gateway gateway, long now) {
        List<PeerNet> nets = gateway.peer.nets;
        int last = -1;
        for (int i = 0; i < nets.size(); i++) {
            if (nets.get(i).net().equals(gateway.checkedNet)) {
                last = i;
            }
        }
        for (int i = 1; i <= nets.size(); i++) {
            PeerNet net = nets.get((last + i) % nets.size());
            if (nis.net(net.net()) != null && (!net.checkPlanned || now - net.nextCheck >= 0)) {
                return net;
            }
        }
        return null;
    }

    private void check(Gateway gateway, PeerNet net, long now) {
        Peer peer = gateway.peer;
        boolean tells = settings.get().is(Tunable.DISCOVERY) && settings.get().is(Tunable.MULTI_RAIL);
        peer.set(PeerState.ROUTER_DISCOVERY | PeerState.FORCE_PING | (tells ? PeerState.FORCE_PUSH : 0));
        peer.clear(PeerState.NIDS_UPTODATE);
        gateway.checkedNet = net.net();
        net.checkPlanned = true;
        net.nextCheck = now + settings.get().get(Tunable.ALIVE_ROUTER_CHECK_INTERVAL) * SECOND;
        discovery.accept(peer);
    }
}
