package org.railyard.socklnd.ni;

import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.nid.Nid;
import org.railyard.socklnd.link.DeviceLinkState;
import org.railyard.socklnd.link.InterfaceTable;
import org.railyard.socklnd.link.LinkQuality;
import org.railyard.socklnd.tune.NiTunables;
import org.railyard.socklnd.tune.SockLndConfig;
import org.railyard.socklnd.tune.SockTunable;
import org.railyard.socklnd.wire.ProtocolVersion;

/**
 * An NI with what TCP adds to it: address, incarnation, tunables of its own, state of the device. Thread-safe.
 */
public final class SockNi {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final int DEFAULT_TIMEOUT_SECONDS = 50;

    private final LndNi ni;
    private final InetAddress address;
    private final long incarnation;
    private final InterfaceTable interfaces;
    private final SockLndConfig config;
    private volatile int connsPerPeer;
    private volatile int tos;
    private volatile int timeoutSeconds;
    private final ProtocolVersion ownVersion;
    private volatile DeviceLinkState link = DeviceLinkState.UP;
    private volatile boolean stopping;

    // Of the worker for time limits.
    private final LinkQuality quality = new LinkQuality();
    private long linkSince;
    private boolean probing;
    private long probeSince;

    /** Makes an NI. */
    public SockNi(LndNi ni, SockContext context, InterfaceTable interfaces, long incarnation) {
        this.ni = ni;
        this.address = InterfaceTable.addressOf(ni.nid());
        this.incarnation = incarnation;
        this.interfaces = interfaces;
        Map<String, Integer> own = ni.lndTunables();
        this.config = context.config();
        this.connsPerPeer = connections(own.getOrDefault(NiTunables.CONNS_PER_PEER, -1));
        this.tos = given(own.getOrDefault(NiTunables.TOS, -1), SockTunable.TOS);
        this.timeoutSeconds = given(own.getOrDefault(NiTunables.TIMEOUT, -1), SockTunable.SOCK_TIMEOUT);
        this.ownVersion = highest(config, ni.nid());
    }

    /** Returns the value of the NI, or that of the transport if it has none of its own. */
    private int given(int own, SockTunable otherwise) {
        return own < 0 ? config.get(otherwise) : own;
    }

    private int connections(int own) {
        int wanted = given(own, SockTunable.CONNS_PER_PEER);
        return wanted > 0 ? wanted : interfaces.connectionsFor(ni.interfaceName());
    }

    /** Returns the tunables that count, by name, in the order of output. */
    public Map<String, Integer> tunables() {
        return tunables((int) (timeoutNanos() / NANOS_PER_SECOND));
    }

    /** Returns the same with the limit that was asked for. */
    public Map<String, Integer> wantedTunables() {
        return tunables(timeoutSeconds);
    }

    private Map<String, Integer> tunables(int limit) {
        Map<String, Integer> all = new LinkedHashMap<>();
        all.put(NiTunables.CONNS_PER_PEER, connsPerPeer);
        all.put(NiTunables.TIMEOUT, limit);
        all.put(NiTunables.TOS, tos);
        return all;
    }

    /** Changes tunables that were checked; they count for connections and peers that come from now on. */
    public void tune(Map<String, Integer> changes) {
        changes.forEach((name, value) -> {
            switch (name) {
                case NiTunables.CONNS_PER_PEER -> connsPerPeer = connections(value);
                case NiTunables.TIMEOUT -> timeoutSeconds = given(value, SockTunable.SOCK_TIMEOUT);
                default -> tos = given(value, SockTunable.TOS);
            }
        });
    }

    private static ProtocolVersion highest(SockLndConfig config, Nid nid) {
        ProtocolVersion natural = nid.isNid4() ? ProtocolVersion.V3 : ProtocolVersion.V4;
        ProtocolVersion limit = config.protocol();
        return limit == null || limit.compareTo(natural) > 0 ? natural : limit;
    }

    /** Returns the NI as the stack knows it. */
    public LndNi ni() {
        return ni;
    }

    /** Returns the NID. */
    public Nid nid() {
        return ni.nid();
    }

    /** Returns the address. */
    public InetAddress address() {
        return address;
    }

    /** Returns when it started, as its hellos tell. */
    public long incarnation() {
        return incarnation;
    }

    /** Returns how many connections of each type it makes to a peer. */
    public int connsPerPeer() {
        return connsPerPeer;
    }

    /** Returns the type of service of its packets, or -1 for that of the system. */
    public int tos() {
        return tos;
    }

    /** Returns the limit of everything that takes time, ns; of messages only if LNet has set them none. */
    public long timeoutNanos() {
        int seconds = timeoutSeconds;
        return (seconds > 0 ? seconds : DEFAULT_TIMEOUT_SECONDS) * NANOS_PER_SECOND;
    }

    /** Returns the limit that was asked for, s; 0 for that of the stack. */
    public int timeoutSeconds() {
        return timeoutSeconds;
    }

    /** Returns the version to answer with when a peer speaks one that is unknown. */
    public ProtocolVersion ownVersion() {
        return ownVersion;
    }

    /** Returns the version to begin with towards a peer. */
    public ProtocolVersion firstVersion(Nid peer) {
        return ownVersion.compareTo(ProtocolVersion.V3) < 0 || peer.isNid4() && nid().isNid4()
                ? ownVersion
                : ProtocolVersion.V4;
    }

    /** Returns what the device can do, as far as known. */
    public DeviceLinkState link() {
        return link;
    }

    /** Notes the state of its link at a time, ns. */
    public void setLink(DeviceLinkState value, long now) {
        link = value;
        linkSince = now;
        probing = false;
    }

    /** Returns how well its device works. The worker. */
    public LinkQuality quality() {
        return quality;
    }

    /** Returns since when its link is in this state, monotonic ns. The worker. */
    public long linkSince() {
        return linkSince;
    }

    /**
     * The link is back, and what has become of the connections is to be found out. The worker.
     *
     * @return false if that goes on already
     */
    public boolean beginProbe(long now) {
        if (probing) {
            return false;
        }
        probing = true;
        probeSince = now;
        return true;
    }

    /** The link is down again. The worker. */
    public void endProbe() {
        probing = false;
    }

    /** Returns when the proof began, monotonic ns. The worker. */
    public long probeSince() {
        return probeSince;
    }

    /** Tells whether nothing new is to be begun on the device: its link is down, its address is away, or it is gone. */
    public boolean isDown() {
        return link != DeviceLinkState.UP;
    }

    /** Tells whether connections can not go on: the device is gone. */
    public boolean isGone() {
        return link == DeviceLinkState.GONE;
    }

    /** Returns whether it is being taken down. */
    public boolean isStopping() {
        return stopping;
    }

    /** Begins to take it down: nothing new is sent or accepted. */
    public void stop() {
        stopping = true;
    }
}
