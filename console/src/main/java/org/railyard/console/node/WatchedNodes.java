package org.railyard.console.node;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.console.web.EventHub;
import org.railyard.console.web.Page;
import org.railyard.console.web.WebAnswer;
import org.railyard.control.Dlc;
import org.railyard.control.DoctorOperation;
import org.railyard.control.ExplainOperation;
import org.railyard.control.GlobalOperation;
import org.railyard.control.NetOperation;
import org.railyard.control.Operation;
import org.railyard.control.PeerOperation;
import org.railyard.control.RouteOperation;
import org.railyard.control.TargetOperation;

/** The nodes of a console: a thread for each reads it, another listens to its events, and pages ask it. */
public final class WatchedNodes implements AutoCloseable {
    /** Most nodes. */
    public static final int MAX = 64;

    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final int REFUSED = 400;
    private static final int UNAVAILABLE = 502;
    private static final int PEER_LEVEL = 4;
    private static final int MAX_HEALTH = 1000;

    private final List<NodeLink> links = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final List<EventFollower> followers = new ArrayList<>();
    private final List<Thread> listening = new ArrayList<>();
    private volatile boolean ended;

    /**
     * Begins to read nodes.
     *
     * @param nodes by the names that they are shown with
     * @param interval between readings of a node that answers fast
     * @throws ErrnoException EINVAL if there are more than {@link #MAX}
     */
    public WatchedNodes(Map<String, Dlc> nodes, Duration interval, EventHub hub) {
        if (nodes.size() > MAX) {
            throw new ErrnoException(Errno.EINVAL, nodes.size() + " nodes; expected at most " + MAX);
        }
        nodes.forEach((name, dlc) -> {
            int number = links.size();
            NodeLink link = new NodeLink(dlc, LIMIT);
            NodeWatch watch = new NodeWatch(number, name, link, hub, InstantSource.system());
            links.add(link);
            Thread reader = Thread.ofPlatform()
                    .daemon()
                    .name("console-node-" + number)
                    .unstarted(() -> readOn(watch, interval));
            threads.add(reader);
            // Between two readings of a node with many peers, or by a long interval, it may end and come back.
            EventFollower follower = new EventFollower(link, watch, () -> LockSupport.unpark(reader));
            followers.add(follower);
            listening.add(Thread.ofVirtual().name("console-events-" + number).unstarted(follower::run));
        });
        threads.forEach(Thread::start);
        listening.forEach(Thread::start);
    }

    private void readOn(NodeWatch watch, Duration interval) {
        while (!ended) {
            long begin = System.nanoTime();
            watch.read();
            Duration took = Duration.ofNanos(System.nanoTime() - begin);
            LockSupport.parkNanos(NodeWatch.rest(interval, took).toNanos());
        }
    }

    /** Returns what answers questions about nodes, by path. */
    public Map<String, Page> pages() {
        Map<String, Page> pages = new LinkedHashMap<>();
        pages.put("/api/columns", _ -> WebAnswer.of(Map.of("columns", Rows.COLUMNS)));
        pages.put("/api/explain", query -> ask(query, path(query)));
        pages.put("/api/health", query -> ask(query, new ExplainOperation.Health(field(query, "nid"))));
        pages.put("/api/peer", query -> ask(query, new PeerOperation.Show(field(query, "nid"), PEER_LEVEL, 1)));
        pages.put("/api/routes", query -> ask(query, new RouteOperation.Show(null, null, null, null, 1)));
        pages.put("/api/doctor", query -> ask(query, new DoctorOperation.Examine(false, null)));
        return pages;
    }

    /** Returns what changes nodes, by path. */
    public Map<String, Page> changes() {
        Map<String, Page> changes = new LinkedHashMap<>();
        changes.put("/api/health/set", query -> execute(query, health(query)));
        changes.put(
                "/api/discovery/set",
                query -> execute(query, new GlobalOperation.Set("discovery", field(query, "value"))));
        changes.put(
                "/api/discover",
                query -> execute(query, new TargetOperation.Discover(List.of(field(query, "nid")), true)));
        return changes;
    }

    /** The NI is one of the node, or of a peer. */
    private static Operation health(Map<String, String> query) {
        String nid = field(query, "nid");
        String text = field(query, "value");
        int value;
        try {
            value = Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("health '" + text + "'; expected a number, 0 to 1000", e);
        }
        if (value < 0 || value > MAX_HEALTH) {
            throw new IllegalArgumentException("health " + value + "; expected 0 to " + MAX_HEALTH);
        }
        return switch (field(query, "of")) {
            case "node" -> new NetOperation.Set(null, nid, false, value, null, null, null);
            case "peer" -> new PeerOperation.Set(nid, false, value, null);
            default -> throw new IllegalArgumentException("of '" + field(query, "of") + "'; expected node or peer");
        };
    }

    private static Operation.Query path(Map<String, String> query) {
        return new ExplainOperation.Path(field(query, "to"), null, null);
    }

    private WebAnswer ask(Map<String, String> query, Operation.Query question) {
        try {
            return WebAnswer.of(link(query).ask(question));
        } catch (NodeException e) {
            return failed(e);
        }
    }

    private NodeLink link(Map<String, String> query) {
        String number = field(query, "node");
        try {
            return links.get(Integer.parseInt(number));
        } catch (NumberFormatException | IndexOutOfBoundsException e) {
            throw new IllegalArgumentException("node '" + number + "'; expected a number below " + links.size(), e);
        }
    }

    private WebAnswer execute(Map<String, String> query, Operation operation) {
        try {
            return WebAnswer.of(link(query).execute(operation));
        } catch (NodeException e) {
            return failed(e);
        }
    }

    private static WebAnswer failed(NodeException e) {
        return WebAnswer.failed(e.hasAnswered() ? REFUSED : UNAVAILABLE, e.text());
    }

    private static String field(Map<String, String> query, String name) {
        String value = query.get(name);
        if (value == null || value.isEmpty()) {
            throw new IllegalArgumentException("the field '" + name + "' is missing");
        }
        return value;
    }

    /** Stops to read. */
    @Override
    public void close() {
        ended = true;
        threads.forEach(LockSupport::unpark);
        followers.forEach(EventFollower::end);
        listening.forEach(Thread::interrupt);
        links.forEach(NodeLink::close);
    }
}
