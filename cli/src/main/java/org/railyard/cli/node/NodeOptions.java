package org.railyard.cli.node;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.DatagramChannel;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.cli.text.JsonOption;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.LNetConfig;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.NetType;
import org.railyard.lnet.nid.Nid;
import org.railyard.socklnd.SockLndProvider;
import org.railyard.socklnd.tune.SockLndConfig;
import org.railyard.socklnd.tune.SockTunable;
import org.railyard.socklnd.tune.SourcePorts;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How a command's own node is to be started. */
final class NodeOptions {
    private static final System.Logger LOG = System.getLogger(NodeOptions.class.getName());
    private static final int DEFAULT_PORT = 988;

    /**
     * A target that knew another node by this NID, such as a daemon on this machine, turns the first call down. The
     * second has to come within the default limit for an answer.
     */
    private static final int RECONNECT_MILLIS = 100;

    @Option(
            names = {"-s", "--source"},
            paramLabel = "NID",
            description = "Local NID to send from. Default: the address that the system would use to reach the target.")
    private @Nullable String source;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "" + DEFAULT_PORT,
            description = "TCP port on which the targets listen. Default: ${DEFAULT-VALUE}.")
    private int port;

    @Option(
            names = "--any-source-port",
            description =
                    "Dial from any local port instead of one of 512 to 1023, which needs no privilege. Kernel nodes"
                            + " answer this only with accept=all; over IPv6 do not use it with kernel nodes.")
    private boolean anySourcePort;

    @Mixin
    private JsonOption json = new JsonOption();

    NodeOptions() {}

    /** Returns whether answers are to be JSON. */
    JsonOption json() {
        return json;
    }

    /** Returns the NID given with {@code --source}, or the wildcard. */
    Nid source() {
        return source == null ? Nid.ANY : Nid.parse(source);
    }

    /**
     * Starts a node that can reach the targets. It dials, nobody can dial it.
     *
     * @throws ErrnoException EINVAL if the source is no address of this machine, or what a transport says
     */
    LNet start(List<Nid> targets, Settings settings) {
        SockLndConfig.Builder socklnd = SockLndConfig.builder()
                .listen(false)
                .acceptPort(requirePort())
                .set(SockTunable.MIN_RECONNECT_MS, RECONNECT_MILLIS);
        if (anySourcePort) {
            socklnd.sourcePorts(SourcePorts.ANY);
        }
        LNetConfig.Builder config = LNetConfig.builder().settings(settings).lnd(new SockLndProvider(socklnd.build()));
        for (Nid local : localNids(targets)) {
            config.ni(NiRequest.ofNid(local));
        }
        try {
            return LNet.start(config.build());
        } catch (ErrnoException e) {
            if (e.errno() == Errno.EPERM) {
                throw new ErrnoException(
                        e.errno(),
                        "low source ports can not be used; run as root, or with --any-source-port if the targets"
                                + " accept it",
                        e);
            }
            throw e;
        }
    }

    private int requirePort() {
        if (port < 1 || port > 0xffff) {
            throw new ErrnoException(Errno.EINVAL, "--port " + port + "; expected 1…65535");
        }
        return port;
    }

    private Set<Nid> localNids(List<Nid> targets) {
        Set<Nid> local = new LinkedHashSet<>();
        if (source != null) {
            local.add(source());
            return local;
        }
        for (Nid target : targets) {
            Nid from = target.isLoopback() ? null : localNid(target);
            if (from != null) {
                local.add(from);
            }
        }
        return local;
    }

    /**
     * Returns the local NID towards a target, null if there is none: then the stack says so when the target is asked.
     */
    private @Nullable Nid localNid(Nid target) {
        if (target.typeNumber() != NetType.TCP.number()) {
            return null;
        }
        // Connecting a datagram socket sends nothing; it only asks the system which address it would use.
        try (DatagramChannel probe = DatagramChannel.open()) {
            probe.connect(new InetSocketAddress(InetAddress.getByAddress(target.address()), port));
            SocketAddress found = probe.getLocalAddress();
            return found instanceof InetSocketAddress address
                    ? Nid.of(target.net(), address.getAddress().getAddress())
                    : null;
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "no local address towards " + target, e);
            return null;
        }
    }
}
