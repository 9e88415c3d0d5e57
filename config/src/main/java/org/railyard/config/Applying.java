package org.railyard.config;

import org.railyard.base.ErrnoException;
import org.railyard.base.yaml.Findings;
import org.railyard.base.yaml.Place;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.CompatProfile;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.nid.Nid;

/** Changes a running node as a configuration says; a refusal names the place in the file. */
final class Applying {
    private final LNet lnet;

    Applying(LNet lnet) {
        this.lnet = lnet;
    }

    private static void at(Place place, Runnable change) {
        try {
            change.run();
        } catch (ErrnoException e) {
            throw new ErrnoException(e.errno(), place + ": " + Findings.text(e), e);
        }
    }

    void profile(CompatProfile profile) {
        Settings target = lnet.settings().withProfile(profile);
        for (Tunable tunable : Tunable.values()) {
            change(tunable, target.get(tunable));
        }
    }

    void setting(SettingSpec setting) {
        at(setting.place(), () -> change(setting.tunable(), setting.value()));
    }

    private void change(Tunable tunable, int value) {
        if (lnet.settings().get(tunable) != value) {
            lnet.set(tunable, value);
        }
    }

    void ni(NiSpec ni) {
        at(ni.place(), () -> lnet.addNi(ni.request()));
    }

    void bond(BondSpec bond) {
        at(bond.place(), () -> lnet.bonds().add(bond.bond(), -1));
    }

    void rule(RuleSpec rule) {
        at(rule.place(), () -> lnet.selection().addUdsp(rule.rule(), rule.index()));
    }

    void peer(PeerSpec peer) {
        at(peer.place(), () -> {
            if (!peer.isGatewayOf(lnet)) {
                lnet.peerConfiguration().add(peer.primary(), peer.nids(), peer.multiRail(), peer.locked());
            }
            peer.health().forEach(lnet::setPeerHealth);
        });
    }

    void route(RouteSpec route) {
        at(route.place(), () -> {
            for (Nid gateway : route.gateways()) {
                lnet.routes().add(route.net(), gateway, route.hops(), route.priority());
            }
        });
    }

    void forwarding(boolean on) {
        if (on) {
            lnet.routing().enable();
        } else {
            lnet.routing().disable();
        }
    }
}
