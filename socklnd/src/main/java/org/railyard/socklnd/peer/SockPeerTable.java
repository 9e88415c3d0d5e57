package org.railyard.socklnd.peer;

import java.util.Collection;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.socklnd.ni.SockContext;
import org.railyard.socklnd.ni.SockNi;
import org.railyard.socklnd.tune.SockTunable;

/**
 * The peers of one NI, by NID and process id. Looking one up allocates nothing for LNet processes, which all but all
 * peers are. Thread-safe.
 */
public final class SockPeerTable {
    private final SockNi ni;
    private final SockContext context;
    private final ConnectionRequests dialling;
    private final ConcurrentHashMap<Nid, SockPeer> nodes = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<ProcessId, SockPeer> others = new ConcurrentHashMap<>();

    private final NidClaims claims = new NidClaims();

    /** The one that was looked for last: most messages go where the one before them went. */
    private volatile @Nullable SockPeer recent;

    private volatile boolean closed;

    /** Makes an empty table. */
    public SockPeerTable(SockNi ni, SockContext context, ConnectionRequests dialling) {
        this.ni = ni;
        this.context = context;
        this.dialling = dialling;
    }

    /** Returns the NI. */
    public SockNi ni() {
        return ni;
    }

    /** Returns the peer, or null if it is not known. */
    @Nullable
    public SockPeer find(Nid nid, int pid) {
        SockPeer last = recent;
        if (last != null && last.pid() == pid && last.nid().equals(nid)) {
            return last;
        }
        SockPeer found = lookUp(nid, pid);
        recent = found;
        if (found != null && lookUp(nid, pid) != found) {
            // It was forgotten between the lines.
            recent = null;
        }
        return found;
    }

    private @Nullable SockPeer lookUp(Nid nid, int pid) {
        return pid == ProcessId.LUSTRE_PID ? nodes.get(nid) : others.get(new ProcessId(nid, pid));
    }

    /** Returns the peer, made if need be; null if there are too many. */
    @Nullable
    public SockPeer findOrAdd(Nid nid, int pid) {
        SockPeer known = find(nid, pid);
        if (known != null) {
            return known;
        }
        if (context.counters().peers.get() >= context.config().get(SockTunable.MAX_PEERS)) {
            return null;
        }
        SockPeer added = pid == ProcessId.LUSTRE_PID
                ? nodes.computeIfAbsent(nid, key -> make(key, pid))
                : others.computeIfAbsent(new ProcessId(nid, pid), key -> make(nid, pid));
        if (closed) {
            // Whoever asked learns from it that the NI is stopping.
            remove(added);
        }
        return added;
    }

    private SockPeer make(Nid nid, int pid) {
        context.counters().peers.incrementAndGet();
        return new SockPeer(context, ni, dialling, nid, pid, this::remove, claims);
    }

    /** Forgets a peer that retired. */
    public void remove(SockPeer peer) {
        boolean removed = peer.pid() == ProcessId.LUSTRE_PID
                ? nodes.remove(peer.nid(), peer)
                : others.remove(new ProcessId(peer.nid(), peer.pid()), peer);
        if (recent == peer) {
            recent = null;
        }
        if (removed) {
            context.counters().peers.decrementAndGet();
        }
    }

    /** Forgets all peers, and those that are added from now on; the NI has stopped, and they have no connections. */
    public void close() {
        closed = true;
        all().forEach(this::remove);
    }

    /** Returns the peers known now. */
    public Collection<SockPeer> all() {
        return Stream.concat(nodes.values().stream(), others.values().stream()).toList();
    }
}
