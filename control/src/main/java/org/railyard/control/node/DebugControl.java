package org.railyard.control.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.text.Doc;
import org.railyard.control.DebugOperation;
import org.railyard.lnet.Inventory;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.NiInfo;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.api.Traffic;
import org.railyard.lnet.api.Usage;
import org.railyard.lnet.lnd.PeerConnections;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;

/** Looks closer at a node: recovery, single items, sums, use of late (spec 12 §4.9, §4.10, §10). */
final class DebugControl {
    private static final System.Logger LOG = System.getLogger("org.railyard.dlc");
    private static final int NI_LEVEL = 2;
    private static final int PEER_LEVEL = 3;
    private static final long NANOS = 1_000_000_000L;

    private final LNet lnet;
    private final NodeEnvironment machine;

    DebugControl(LNet lnet, NodeEnvironment machine) {
        this.lnet = lnet;
        this.machine = machine;
    }

    private Inventory inventory() {
        return lnet.inventory();
    }

    static Map<String, Object> execute(DebugOperation operation, OperationContext context) {
        return new DebugControl(context.lnet(), context.machine()).execute(operation);
    }

    private Map<String, Object> execute(DebugOperation operation) {
        return switch (operation) {
            case DebugOperation.Recovery recovery -> recovery(recovery.peers());
            case DebugOperation.Peer peer -> log(Nids.nid(peer.nid()));
            case DebugOperation.Conn conn -> conn(conn.nid(), conn.failed());
            case DebugOperation.CptOfNid cpts -> cpts(cpts.nids());
            case DebugOperation.Ni ni -> ni(Nids.net(ni.net()), ni.index());
            case DebugOperation.PeerAt peer -> peer(peer.index());
            case DebugOperation.SumNet sum -> sum(inventory().trafficOf(Nids.net(sum.net())));
            case DebugOperation.SumPeer sum -> sum(inventory().trafficOf(Nids.nid(sum.nid())));
            case DebugOperation.Usage usage -> usage(Nids.nid(usage.nid()));
        };
    }

    private Map<String, Object> recovery(boolean peers) {
        List<Nid> nids = peers ? lnet.peerRecovery() : lnet.localRecovery();
        return nids.isEmpty()
                ? Map.of()
                : Map.of(
                        peers ? "Peer NI recovery" : "Local NI recovery",
                        UdspText.numbered("nid-", nids).map());
    }

    private Map<String, Object> log(Nid nid) {
        inventory()
                .peer(nid)
                .ifPresentOrElse(
                        peer -> LOG.log(System.Logger.Level.INFO, "peer {0}", peer),
                        () -> LOG.log(System.Logger.Level.INFO, "no peer with the NID {0} is known", nid));
        return Map.of();
    }

    private Map<String, Object> cpts(List<String> texts) {
        List<Object> items = new ArrayList<>();
        for (String text : texts) {
            for (Nid nid : Nids.list(text)) {
                items.add(new Doc()
                        .put("nid", nid.toString())
                        .put("cpt", lnet.selection().cptOf(nid))
                        .map());
            }
        }
        return Map.of("cpt-of-nid", items);
    }

    private Map<String, Object> conn(@Nullable String text, boolean failed) {
        Nid nid = text == null ? null : Nids.nid(text);
        List<Nid> own = inventory().nis().stream().map(NiInfo::nid).toList();
        boolean known =
                nid == null || own.contains(nid) || inventory().peer(nid).isPresent();
        List<Object> items = new ArrayList<>();
        for (Nid ni : own) {
            for (PeerConnections each : inventory().connections(ni)) {
                boolean wanted = nid == null || ni.equals(nid) || each.peer().equals(nid);
                known |= wanted;
                if (wanted && (!failed || each.state().isBad())) {
                    items.add(conn(ni, each));
                }
            }
        }
        if (!known) {
            throw new ErrnoException(
                    Errno.ENOENT, nid + " is neither a NID of this node nor of a peer that is known or connected");
        }
        return Map.of("connections", items);
    }

    private static Map<String, Object> conn(Nid ni, PeerConnections with) {
        Doc open = new Doc();
        with.open().forEach(open::put);
        Doc doc = new Doc()
                .put("nid", ni.toString())
                .put("peer nid", with.peer().toString())
                .put("state", with.state().key())
                .put("state seconds", with.stateNanos() / NANOS)
                .put("alive seconds", with.aliveNanos() / NANOS)
                .put("connections", open)
                .put("conns_per_peer", with.wanted())
                .put("waiting messages", with.waiting());
        if (with.pid() != ProcessId.LUSTRE_PID) {
            doc.put("peer pid", with.pid());
        }
        if (with.failure() != null) {
            doc.put("failure", with.failure().text() + " (" + with.failure() + ")");
        }
        if (with.state().isBad()) {
            doc.put("retry seconds", (with.retryNanos() + NANOS - 1) / NANOS);
        }
        return doc.map();
    }

    private Map<String, Object> ni(Net net, int index) {
        NiInfo ni = inventory()
                .ni(net, index)
                .orElseThrow(() -> new ErrnoException(Errno.ENOENT, "there is no NI " + index + " on " + net));
        return Map.of("ni", new NetView(lnet, machine).ni(ni, NI_LEVEL));
    }

    private Map<String, Object> peer(int index) {
        PeerInfo peer = inventory()
                .peer(index)
                .orElseThrow(() -> new ErrnoException(Errno.ENOENT, "there is no peer " + index));
        return Map.of("peer", List.of(new PeerView(lnet, true).peer(peer, PEER_LEVEL)));
    }

    private static Map<String, Object> sum(Traffic traffic) {
        Doc doc = new Doc().put("statistics", TrafficText.statistics(traffic));
        TrafficText.types(doc, traffic);
        return doc.map();
    }

    private Map<String, Object> usage(Nid nid) {
        Usage usage = inventory().nis().stream()
                .filter(ni -> ni.nid().equals(nid))
                .map(NiInfo::usage)
                .findFirst()
                .orElseGet(() -> usageOfPeer(nid));
        return new Doc()
                .put(
                        "usage",
                        new Doc()
                                .put("nid", nid.toString())
                                .put("heat", Math.round(usage.heat()))
                                .put("tx_messages_per_second", Math.round(usage.txMessagesPerSecond()))
                                .put("tx_bytes_per_second", Math.round(usage.txBytesPerSecond())))
                .map();
    }

    private Usage usageOfPeer(Nid nid) {
        return inventory().peer(nid).stream()
                .flatMap(peer -> peer.nis().stream())
                .filter(ni -> ni.nid().equals(nid))
                .map(PeerInfo.PeerNiInfo::usage)
                .findFirst()
                .orElseThrow(() -> new ErrnoException(
                        Errno.ENOENT, nid + " is neither a NID of this node nor of a peer that is known"));
    }
}
