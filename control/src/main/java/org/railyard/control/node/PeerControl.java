package org.railyard.control.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.text.Doc;
import org.railyard.control.PeerOperation;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.api.PeerInfo.PeerNiInfo;
import org.railyard.lnet.nid.Nid;

/** Makes, deletes and changes peers (spec 12 §2.4). */
final class PeerControl {
    private static final int FULL_HEALTH = 1000;

    private final Edits edits;

    PeerControl(Edits edits) {
        this.edits = edits;
    }

    static Map<String, Object> execute(PeerOperation operation, OperationContext context) {
        return switch (operation) {
            case PeerOperation.Add add -> context.edit(edits -> new PeerControl(edits).add(add));
            case PeerOperation.Delete delete -> new PeerControl(context.edits()).delete(delete);
            case PeerOperation.Set set -> context.edit(edits -> new PeerControl(edits).set(set));
            case PeerOperation.Show show -> show(context.lnet(), show);
            case PeerOperation.List _ -> list(context.lnet());
        };
    }

    private LNet lnet() {
        return edits.lnet();
    }

    private static Nid primary(@Nullable String text) {
        if (text == null) {
            throw new ErrnoException(Errno.EINVAL, "the primary NID is missing; say --prim_nid NID");
        }
        return Nids.nid(text);
    }

    private void add(PeerOperation.Add add) {
        Nid primary = primary(add.primNid());
        List<Nid> nids = add.nids() == null ? List.of() : Nids.list(add.nids());
        if (primary.isLoopback()) {
            // It is always there.
            return;
        }
        if (add.nonMr() && nids.stream().anyMatch(nid -> !nid.equals(primary))) {
            throw new ErrnoException(
                    Errno.EPERM, "a peer that is not multi-rail has one NID; leave --nid away, or --non_mr");
        }
        edits.addPeer(primary, nids, !add.nonMr(), add.lockPrim());
    }

    /** Returns a warning if a locked primary NID stays, which is no failure. */
    private Map<String, Object> delete(PeerOperation.Delete delete) {
        Nid primary = primary(delete.primNid());
        List<Nid> nids = delete.nids() == null ? List.of() : Nids.list(delete.nids());
        if (lnet().nids().contains(primary) || primary.isLoopback()) {
            throw new ErrnoException(Errno.EINVAL, primary + " is a NID of this node, not of a peer");
        }
        edits.deletePeer(primary, nids, delete.force());
        boolean stays = nids.isEmpty()
                && lnet().inventory().peer(primary).filter(PeerInfo::isLocked).isPresent();
        return stays
                ? Map.of(
                        "warnings",
                        List.of("peer " + primary
                                + " stays, its primary NID is locked: only its other NIDs are deleted;"
                                + " --force deletes it"))
                : Map.of();
    }

    private void set(PeerOperation.Set set) {
        if (set.nid() == null && !set.all()) {
            throw new ErrnoException(Errno.EINVAL, "which NIDs is missing; say --nid NID or --all");
        }
        Nid only = set.nid() == null || set.all() ? null : Nids.nid(set.nid());
        for (PeerInfo peer : lnet().peers()) {
            boolean hit = false;
            for (PeerNiInfo ni : peer.nis()) {
                if (only == null || ni.nid().equals(only)) {
                    hit = true;
                    if (set.health() != null) {
                        edits.setPeerHealth(ni.nid(), ni.health(), Math.min(set.health(), FULL_HEALTH));
                    }
                }
            }
            if (hit && set.state() != null) {
                edits.setPeerState(peer, set.state());
            }
        }
    }

    private static Map<String, Object> show(LNet lnet, PeerOperation.Show show) {
        PeerView view = new PeerView(lnet, true);
        int level = Levels.check(show.level());
        if (show.maxPeers() < 0) {
            throw new ErrnoException(
                    Errno.EINVAL, "max_peers " + show.maxPeers() + "; expected 0…" + Integer.MAX_VALUE + ", 0 for all");
        }
        if (show.nid() != null) {
            Nid nid = Nids.nid(show.nid());
            PeerInfo peer = lnet.inventory()
                    .peer(nid)
                    .orElseThrow(() -> new ErrnoException(Errno.ENOENT, "no peer with the NID " + nid + " is known"));
            return Map.of("peer", List.of(view.peer(peer, level)));
        }
        int max = show.maxPeers() == 0 ? Integer.MAX_VALUE : show.maxPeers();
        List<Object> peers = new ArrayList<>();
        lnet.inventory().peers(0, max).forEach(peer -> peers.add(view.peer(peer, level)));
        return peers.isEmpty() ? Map.of() : Map.of("peer", peers);
    }

    private static Map<String, Object> list(LNet lnet) {
        List<Object> nids = new ArrayList<>();
        lnet.peers()
                .forEach(peer -> nids.add(
                        new Doc().put("nid", peer.primaryNid().toString()).map()));
        return nids.isEmpty() ? Map.of() : Map.of("peer list", nids);
    }
}
