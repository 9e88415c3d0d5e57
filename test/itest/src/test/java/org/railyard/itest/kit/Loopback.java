package org.railyard.itest.kit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.LNetConfig;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Nid;
import org.railyard.socklnd.SockLndProvider;
import org.railyard.socklnd.tune.AcceptPolicy;
import org.railyard.socklnd.tune.SockLndConfig;
import org.railyard.socklnd.tune.SourcePorts;

/** Nodes on loopback addresses that need no privileges: a port of their own choice, callers from any port. */
public final class Loopback {
    private Loopback() {}

    /** Returns a TCP port that nobody listens on at the moment, on any address. */
    public static int freePort() {
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(new InetSocketAddress(0));
            return probe.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the transport's configuration that goes with these nodes. */
    public static SockLndConfig.Builder transport(int port) {
        return SockLndConfig.builder().acceptPort(port).accept(AcceptPolicy.ALL).sourcePorts(SourcePorts.ANY);
    }

    /** Returns a request for an NI with one connection per type, as on a link of unknown speed. */
    public static NiRequest ni(Nid nid) {
        return NiRequest.ofNid(nid).withLndTunables(Map.of("conns_per_peer", 1));
    }

    /** Starts a node with default settings. */
    public static LNet node(int port, String... nids) {
        return node(transport(port), settings -> settings, nids);
    }

    /** Starts a node. */
    public static LNet node(SockLndConfig.Builder transport, UnaryOperator<Settings> settings, String... nids) {
        LNetConfig.Builder config = LNetConfig.builder()
                .settings(settings.apply(Settings.DEFAULT))
                .lnd(new SockLndProvider(transport.build()));
        for (String nid : nids) {
            config.ni(ni(Nid.parse(nid)));
        }
        return LNet.start(config.build());
    }
}
