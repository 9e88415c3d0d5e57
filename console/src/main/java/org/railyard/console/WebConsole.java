package org.railyard.console;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.railyard.base.ErrnoException;
import org.railyard.console.fabric.TorusPages;
import org.railyard.console.lab.RunPages;
import org.railyard.console.node.WatchedNodes;
import org.railyard.console.web.Assets;
import org.railyard.console.web.EventHub;
import org.railyard.console.web.Page;
import org.railyard.console.web.UnixSocketForwarder;
import org.railyard.console.web.WebAnswer;
import org.railyard.console.web.WebServer;
import org.railyard.control.Dlc;

/**
 * Pages about nodes, fabrics and runs of the lab, for browsers of this machine; reads only, unless it is allowed more.
 * Thread-safe.
 */
public final class WebConsole implements AutoCloseable {
    private static final List<String> FILES = List.of(
            "index.html",
            "style.css",
            "app.js",
            "ask.js",
            "cluster.js",
            "dom.js",
            "fabric.js",
            "icon.svg",
            "lab.js",
            "lanes.js",
            "live.js",
            "node.js",
            "panels.js",
            "plot.js",
            "table.js",
            "torus.js",
            "lib/uplot/uPlot.esm.js",
            "lib/uplot/uPlot.min.css");

    /** Most nodes. */
    public static final int MAX_NODES = WatchedNodes.MAX;

    private final WatchedNodes nodes;
    private final WebServer server;
    private final List<UnixSocketForwarder> forwarders = new CopyOnWriteArrayList<>();

    private WebConsole(WatchedNodes nodes, WebServer server) {
        this.nodes = nodes;
        this.server = server;
    }

    /**
     * Starts to read nodes and to serve pages about them, on the loopback address.
     *
     * @param port to listen on, 0 for any free one
     * @param nodes by the names that they are shown with, at most {@value #MAX_NODES}, may be none
     * @param fabric a torus to show beside them, or null
     * @param run a run of the lab to show beside them, or null
     * @param allowChanges whether pages may change nodes: health, discovery
     * @param interval between readings of a node, more than 0; one that takes long to answer is read less often
     * @throws ErrnoException EADDRINUSE if the port is taken, EINVAL if there are too many nodes
     * @throws IOException if it can not listen
     */
    public static WebConsole start(
            int port,
            Map<String, Dlc> nodes,
            @Nullable ShownTorus fabric,
            @Nullable ShownRun run,
            boolean allowChanges,
            Duration interval)
            throws IOException {
        Assets assets = Assets.read(WebConsole.class, "page", FILES);
        EventHub hub = new EventHub();
        WatchedNodes read = new WatchedNodes(nodes, interval, hub);
        try {
            Map<String, Page> pages = new LinkedHashMap<>(read.pages());
            if (fabric != null) {
                pages.putAll(new TorusPages(fabric.name(), fabric.fabric(), fabric.layout(), fabric.routing()).pages());
            }
            if (run != null) {
                pages.putAll(
                        new RunPages(run.name(), run.command(), run.scenario(), run.result(), run.recorder()).pages());
            }
            WebAnswer about = WebAnswer.of(Map.of("nodes", nodes.size(), "fabric", fabric != null, "lab", run != null));
            pages.put("/api/about", _ -> about);
            return new WebConsole(
                    read, WebServer.start(port, assets, hub, pages, allowChanges ? read.changes() : Map.of()));
        } catch (IOException | ErrnoException e) {
            read.close();
            throw e;
        }
    }

    /**
     * Opens a Unix socket that leads to the pages as well; who comes by it needs the token, too. Only its owner can
     * connect. It is closed with this.
     *
     * @param socket where
     * @throws ErrnoException EADDRINUSE if somebody listens there, EEXIST if something else is there
     * @throws IOException if it can not be made
     */
    public void listenAt(Path socket) throws IOException {
        forwarders.add(UnixSocketForwarder.open(socket, server.address()));
    }

    /** Returns the address to open; the token in it is new in each console. */
    public String url() {
        return server.url();
    }

    /** Stops to serve. */
    @Override
    public void close() {
        forwarders.forEach(UnixSocketForwarder::close);
        server.close();
        nodes.close();
    }
}
