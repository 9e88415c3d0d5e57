package org.railyard.lnet;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.ToDoubleFunction;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.lnet.api.NiInfo;
import org.railyard.lnet.api.NiTuning;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.api.PingReply;
import org.railyard.lnet.api.Statistics;
import org.railyard.lnet.api.Traffic;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.api.Usage;
import org.railyard.lnet.lnd.PeerConnections;
import org.railyard.lnet.model.LocalNet;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.Peer;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.model.TrafficCounters;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.runtime.NodeRuntime;
import org.railyard.lnet.stack.Node;

/**
 * What a node has and how it does, one by one, by pages, and in sums (spec 10 §17). Each call sees one instant; between
 * two calls things may come and go. Thread-safe.
 */
public final class Inventory {
    private final NodeRuntime runtime;

    Inventory(NodeRuntime runtime) {
        this.runtime = runtime;
    }

    private Node node() {
        return runtime.node();
    }

    /**
     * Returns the monotonic time of the node, ns: what goes between two looks at it, to make rates of. Only differences
     * mean something.
     */
    public long monotonicNanos() {
        return node().now();
    }

    /**
     * Pings a node as {@link LNet#ping} does, only to look: whatever comes of it changes the health of no NI and no
     * peer NI, and it is not sent again.
     *
     * @param target any of its NIDs
     * @param source the local NID to ping from, {@link Nid#ANY} for the best
     * @param timeout limit for the answer, above 0
     * @return what it said; fails with {@link ErrnoException}
     * @throws ErrnoException as {@link LNet#ping}
     */
    public CompletionStage<PingReply> probe(Nid target, Nid source, Duration timeout) {
        return ping(target, source, timeout, true);
    }

    CompletionStage<PingReply> ping(Nid target, Nid source, Duration timeout, boolean probe) {
        if (!timeout.isPositive()) {
            throw new ErrnoException(Errno.EINVAL, "ping limit " + timeout + "; expected more than 0");
        }
        CompletionStage<PingReply> answer = runtime.pinger().ping(target, source, timeout.toNanos(), probe);
        runtime.wakeMonitor();
        return answer;
    }

    /** Returns the NIs, without loopback, net by net. */
    public List<NiInfo> nis() {
        return node().locked(node -> {
            List<NiInfo> nis = new ArrayList<>();
            for (LocalNi ni : node.nis.all()) {
                nis.add(Snapshots.of(ni, node.now()));
            }
            return Collections.unmodifiableList(nis);
        });
    }

    /**
     * Returns an NI of a net, {@link Net#LO} included.
     *
     * @param index its place in the net, from 0
     * @return nothing if there is no such net or none so far back
     */
    public Optional<NiInfo> ni(Net net, int index) {
        return node().locked(node -> {
            List<LocalNi> nis = nisOf(node, net);
            return index < 0 || index >= nis.size()
                    ? Optional.empty()
                    : Optional.of(Snapshots.of(nis.get(index), node.now()));
        });
    }

    /**
     * Returns what an NI, {@link Nid#LOOPBACK} included, is tuned to.
     *
     * @throws ErrnoException ENODEV if there is no such NI
     */
    public NiTuning tuning(Nid nid) {
        LocalNi ni = requireNi(nid);
        return new NiTuning(ni.tunables(), ni.lnd().tunables(ni), ni.lnd().wantedTunables(ni));
    }

    /**
     * Changes tunables of the transport for an NI while it runs.
     *
     * @param changes by their names in YAML, such as {@code conns_per_peer}
     * @throws ErrnoException ENODEV if there is no such NI; EINVAL if there is no such tunable or it is out of range;
     *     EOPNOTSUPP if it can not be changed now; then nothing changes
     */
    public void tune(Nid nid, Map<String, Integer> changes) {
        LocalNi ni = requireNi(nid);
        ni.lnd().tune(ni, changes);
    }

    /**
     * Returns the connections of an NI with its peers, as far as its transport tells, in the order of their NIDs. Only
     * looks: nobody is dialled or asked.
     *
     * @throws ErrnoException ENODEV if there is no such NI
     */
    public List<PeerConnections> connections(Nid nid) {
        LocalNi ni = requireNi(nid);
        return ni.lnd().connections(ni);
    }

    private LocalNi requireNi(Nid nid) {
        LocalNi ni = nid.isLoopback() ? runtime.loopback() : node().locked(node -> node.nis.find(nid));
        if (ni == null) {
            throw new ErrnoException(Errno.ENODEV, "there is no NI " + nid + " here");
        }
        return ni;
    }

    private List<LocalNi> nisOf(Node node, Net net) {
        if (net.equals(Net.LO)) {
            return List.of(runtime.loopback());
        }
        LocalNet local = node.nis.net(net);
        return local == null ? List.of() : local.nis;
    }

    /**
     * Returns peers, in the order in which they became known.
     *
     * @param from how many to skip, at least 0
     * @param max most to return, at least 0
     */
    public List<PeerInfo> peers(int from, int max) {
        if (from < 0 || max < 0) {
            throw new ErrnoException(
                    Errno.EINVAL, "peers from " + from + ", at most " + max + "; expected numbers from 0 on");
        }
        return node().locked(node -> {
            List<Peer> all = node.peers.all();
            int begin = Math.min(from, all.size());
            List<PeerInfo> peers = new ArrayList<>();
            for (Peer peer : all.subList(begin, begin + Math.min(max, all.size() - begin))) {
                peers.add(Snapshots.of(peer, node.now()));
            }
            return Collections.unmodifiableList(peers);
        });
    }

    /** Returns how many peers are known. */
    public int peerCount() {
        return node().locked(node -> node.peers.count());
    }

    /** Returns the peer at a place in the order in which they became known; nothing if there are not so many. */
    public Optional<PeerInfo> peer(int index) {
        return index < 0 ? Optional.empty() : peers(index, 1).stream().findFirst();
    }

    /** Returns the peer that owns a NID; nothing if none does. */
    public Optional<PeerInfo> peer(Nid nid) {
        return node().locked(node ->
                Optional.ofNullable(node.peers.find(nid)).map(ni -> Snapshots.of(ni.peer(), node.now())));
    }

    /**
     * Returns what went through all NIs of a net.
     *
     * @throws ErrnoException ENODEV if there is no such net
     */
    public Traffic trafficOf(Net net) {
        return node().locked(node -> {
            List<LocalNi> nis = nisOf(node, net);
            if (nis.isEmpty()) {
                throw new ErrnoException(Errno.ENODEV, "there is no NI on " + net);
            }
            return nis.stream().map(ni -> ni.traffic.snapshot()).reduce(Traffic.NONE, Traffic::plus);
        });
    }

    /**
     * Returns what went to and came from all NIDs of a peer.
     *
     * @param nid any of them
     * @throws ErrnoException ENOENT if no peer has it
     */
    public Traffic trafficOf(Nid nid) {
        return node().locked(node -> {
            PeerNi ni = node.peers.find(nid);
            if (ni == null) {
                throw new ErrnoException(Errno.ENOENT, "no peer with the NID " + nid + " is known");
            }
            return ni.peer().nis().stream().map(each -> each.traffic.snapshot()).reduce(Traffic.NONE, Traffic::plus);
        });
    }

    /**
     * Returns how hot an NI of this node or of a peer is: messages sent and received, each counting half as much after
     * a minute.
     *
     * @throws ErrnoException ENOENT if the NID is neither one of this node nor of a peer
     */
    public double heat(Nid nid) {
        return usage(nid, Usage::heat);
    }

    /**
     * Returns how many messages an NI of this node sends, or are sent to one of a peer, per second, of the last
     * seconds.
     *
     * @throws ErrnoException ENOENT if the NID is neither one of this node nor of a peer
     */
    public double txRate(Nid nid) {
        return usage(nid, Usage::txMessagesPerSecond);
    }

    private double usage(Nid nid, ToDoubleFunction<Usage> which) {
        return node().locked(node -> which.applyAsDouble(countersOf(node, nid).usage(node.now())));
    }

    private TrafficCounters countersOf(Node node, Nid nid) {
        if (nid.isLoopback()) {
            return runtime.loopback().traffic;
        }
        LocalNi own = node.nis.find(nid);
        if (own != null) {
            return own.traffic;
        }
        PeerNi other = node.peers.find(nid);
        if (other != null) {
            return other.traffic;
        }
        throw new ErrnoException(Errno.ENOENT, nid + " is neither a NID of this node nor of a peer that is known");
    }

    /** Returns what the node counted as a whole. */
    public Statistics statistics() {
        return node().locked(node -> node.counters.snapshot(node.messagesInUse(), node.timedResponses()));
    }

    /**
     * Takes all counts and latencies to 0, those of failures too if {@link Tunable#STATS_RESET_HEALTH} says so. How
     * much interfaces are used of late stays known.
     */
    public void resetStatistics() {
        node().locked(node -> {
            boolean health = node.settings.is(Tunable.STATS_RESET_HEALTH);
            node.counters.reset();
            runtime.loopback().traffic.reset();
            node.nis.all().forEach(ni -> reset(ni, health));
            for (Peer peer : node.peers.all()) {
                peer.nis().forEach(ni -> reset(ni, health));
            }
            return node;
        });
    }

    private static void reset(LocalNi ni, boolean health) {
        ni.traffic.reset();
        if (health) {
            ni.healthCounters.reset();
            ni.downEvents = 0;
            ni.upEvents = 0;
        }
    }

    private static void reset(PeerNi ni, boolean health) {
        ni.traffic.reset();
        if (health && ni.hasFailed()) {
            ni.healthCounters().reset();
        }
    }
}
