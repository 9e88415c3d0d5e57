package org.railyard.itest.recorded;

import java.util.function.UnaryOperator;
import org.railyard.conformance.SteeredHost;
import org.railyard.itest.kit.Loopback;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.LNetConfig;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Nid;
import org.railyard.socklnd.SockLndProvider;
import org.railyard.socklnd.tune.SockLndConfig;
import org.railyard.socklnd.wire.ProtocolVersion;

/**
 * Where a recording is played.
 *
 * @param nids the NID that stands for a recorded one
 * @param port where all nodes listen
 * @param privileged whether callers come from low ports and only such are let in, as between kernels
 */
record Place(UnaryOperator<Nid> nids, int port, boolean privileged) {
    /** Loopback addresses instead of the recorded ones, any ports. */
    static Place onLoopback() {
        return new Place(
                nid -> nid.isLoopback() || nid.isAny()
                        ? nid
                        : Nid.parse(nid.toString().replaceFirst("^10\\.", "127.")),
                Loopback.freePort(),
                false);
    }

    /** The recorded addresses themselves, which this machine must have, with the ports of kernel nodes. */
    static Place asRecorded() {
        return new Place(nid -> nid, 988, true);
    }

    Nid nid(String recorded) {
        return nids.apply(Nid.parse(recorded));
    }

    /** Returns what our node's transport starts with. */
    SockLndConfig.Builder transport() {
        return privileged ? SockLndConfig.builder() : Loopback.transport(port);
    }

    /** Starts our node in the place of a recorded one. */
    LNet node(UnaryOperator<Settings> settings, SockLndConfig.Builder transport, String... recorded) {
        String[] live = new String[recorded.length];
        for (int i = 0; i < live.length; i++) {
            live[i] = nid(recorded[i]).toString();
        }
        return Loopback.node(transport, settings, live);
    }

    /** Starts our node in the place of a recorded one, on a machine that the test steers. */
    LNet node(SteeredHost host, String... recorded) {
        return node(host, Settings.DEFAULT, recorded);
    }

    /** Starts our node in the place of a recorded one, on a machine that the test steers. */
    LNet node(SteeredHost host, Settings settings, String... recorded) {
        LNetConfig.Builder config = LNetConfig.builder()
                .host(host)
                .settings(settings)
                .lnd(new SockLndProvider(transport().build()));
        for (String nid : recorded) {
            config.ni(Loopback.ni(nid(nid)));
        }
        return LNet.start(config.build());
    }

    /** Starts our node in the place of a recorded one, with an NI that has no tunables of its own. */
    LNet bareNode(SockLndConfig.Builder transport, String recorded) {
        return LNet.start(LNetConfig.builder()
                .lnd(new SockLndProvider(transport.build()))
                .ni(NiRequest.ofNid(nid(recorded)))
                .build());
    }

    /** Starts our node in the place of a recorded one, with default settings. */
    LNet node(String... recorded) {
        return node(settings -> settings, transport(), recorded);
    }

    /** Starts our node in the place of a recorded one, with an older protocol. */
    LNet node(ProtocolVersion version, String... recorded) {
        return node(settings -> settings, transport().protocol(version), recorded);
    }
}
