package org.railyard.selftest;

import java.lang.foreign.Arena;
import org.railyard.base.ErrnoException;
import org.railyard.base.host.Host;
import org.railyard.lnet.LNet;
import org.railyard.selftest.api.RpcWatch;
import org.railyard.selftest.api.SelftestSettings;
import org.railyard.selftest.node.TestNode;
import org.railyard.selftest.rpc.RpcNode;
import org.railyard.selftest.wire.Service;

/**
 * Selftest on a node (spec 03): from its start on, others can test the node and let it test; {@link #console} lets it
 * tell others what to do. Thread-safe.
 *
 * <pre>{@code
 * try (Selftest selftest = Selftest.start(lnet, host, SelftestSettings.DEFAULT)) {
 *     selftest.console().newSession("mine", 1, 300, false, 1);
 * }
 * }</pre>
 */
public final class Selftest implements AutoCloseable {
    /** Room for nodes that ask for a place in a group. */
    private static final int JOIN_REQUESTS = 32;

    private final RpcNode rpc;
    private final TestNode target;
    private final Console console;

    private Selftest(LNet lnet, Host host, SelftestSettings settings, RpcWatch watch) {
        this.rpc = new RpcNode(lnet, host, watch);
        this.console = new Console(rpc, host.clock());
        this.target = new TestNode(
                lnet,
                host,
                rpc,
                settings.sessionTimeout(),
                settings.rpcTimeout(),
                console::tick,
                bytes -> Arena.ofAuto().allocate(bytes, Long.BYTES));
    }

    /**
     * Starts.
     *
     * @param lnet the node; it must live longer
     * @param host the one that the node runs on
     * @throws ErrnoException ESHUTDOWN if the node is closed, EPERM if the portals of selftest (50, 51, 52) are in use
     *     by others
     */
    public static Selftest start(LNet lnet, Host host, SelftestSettings settings) {
        return start(lnet, host, settings, RpcWatch.NONE);
    }

    /**
     * Starts, and is watched.
     *
     * @param lnet the node; it must live longer
     * @param host the one that the node runs on
     * @param watch is told of all calls that the node makes and serves
     * @throws ErrnoException ESHUTDOWN if the node is closed, EPERM if the portals of selftest (50, 51, 52) are in use
     *     by others
     */
    public static Selftest start(LNet lnet, Host host, SelftestSettings settings, RpcWatch watch) {
        Selftest made = new Selftest(lnet, host, settings, watch);
        try {
            made.target.start();
            made.rpc.serve(Service.JOIN, JOIN_REQUESTS, made.console::join);
        } catch (ErrnoException e) {
            made.close();
            throw e;
        }
        return made;
    }

    /** Returns the console of this node. */
    public Console console() {
        return console;
    }

    /** Ends all sessions and tests here. Nodes of a session of this console notice when they hear nothing more. */
    @Override
    public void close() {
        console.close();
        target.close();
        rpc.close();
    }
}
