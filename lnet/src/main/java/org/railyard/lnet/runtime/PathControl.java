package org.railyard.lnet.runtime;

import java.util.Comparator;
import java.util.List;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.wire.Wire;
import org.railyard.lnet.api.Explanation;
import org.railyard.lnet.api.Selection;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.api.UdspInfo;
import org.railyard.lnet.api.UdspRule;
import org.railyard.lnet.cpt.CptTable;
import org.railyard.lnet.lnd.Lnd;
import org.railyard.lnet.lnd.NiBinding;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.model.LocalNet;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.Message;
import org.railyard.lnet.model.MessagePath;
import org.railyard.lnet.model.Pairs;
import org.railyard.lnet.model.Peer;
import org.railyard.lnet.model.PeerNet;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.stack.Node;
import org.railyard.lnet.stack.Sender;

/**
 * What steers and explains the choice of paths from outside: selection rules, CPU partitions, explanations.
 * Thread-safe.
 */
public final class PathControl implements Selection {
    private static final int EXAMPLE_PORTAL = 1;

    private final Node node;
    private final Sender sender;

    PathControl(Node node, Sender sender) {
        this.node = node;
        this.sender = sender;
    }

    @Override
    public Explanation explain(Nid target, Nid source, int bytes, List<Nid> used) {
        if (target.isAny()) {
            throw new ErrnoException(Errno.EINVAL, "a message needs a destination NID, not the wildcard");
        }
        if (bytes < 0 || bytes > Wire.MTU) {
            throw new ErrnoException(Errno.EINVAL, "a message of " + bytes + " bytes; expected 0…" + Wire.MTU);
        }
        if (target.isLoopback()) {
            return new Explanation(
                    target, source, bytes, Explanation.Case.LOOPBACK, 0, Nid.LOOPBACK, Nid.LOOPBACK, List.of());
        }
        Message message = new Message();
        message.header().setPut(bytes, Wire.NO_COOKIE, Wire.NO_COOKIE, EXAMPLE_PORTAL, 0, 0, 0);
        message.path().request(source, target);
        return node.locked(any -> {
            if (!used.isEmpty()) {
                message.path().retried();
                markUsed(message.path(), used);
            }
            PeerNi known = node.peers.find(target);
            return node.selector.explain(message, known == null ? stranger(target) : known, node.settings, node.now());
        });
    }

    private void markUsed(MessagePath path, List<Nid> used) {
        node.lock.assertHeld();
        for (Nid nid : used) {
            LocalNi ni = node.nis.find(nid);
            PeerNi peerNi = node.peers.find(nid);
            if (ni != null) {
                path.markUsed(ni);
            }
            if (peerNi != null) {
                path.markUsed(peerNi);
            }
        }
    }

    /** A peer as it would be if it were sent to now; it is in no table. */
    private PeerNi stranger(Nid nid) {
        node.lock.assertHeld();
        Peer peer = new Peer(nid);
        PeerNet net = new PeerNet(nid.net(), peer);
        PeerNi ni = new PeerNi(nid, net, node.nis.netOf(nid));
        peer.nets.add(net);
        net.nis.add(ni);
        node.policy.apply(net);
        node.policy.apply(ni);
        node.nis.bonds().apply(ni);
        return ni;
    }

    @Override
    public void addUdsp(UdspRule rule, int index) {
        change(() -> node.policy.add(rule, index));
    }

    @Override
    public void deleteUdsp(int index) {
        change(() -> node.policy.delete(index));
    }

    @Override
    public void clearUdsp() {
        change(node.policy::clear);
    }

    private void change(Runnable action) {
        node.lock.lock();
        try {
            requireRunning();
            action.run();
            node.policy.apply(node.nis.nets(), node.peers.all());
        } finally {
            node.lock.unlock();
        }
    }

    private void requireRunning() {
        if (node.stopping) {
            throw new ErrnoException(Errno.ESHUTDOWN, "the node is closed");
        }
    }

    @Override
    public List<UdspRule> udsp() {
        return node.locked(any -> any.policy.rules());
    }

    @Override
    public UdspInfo udspInfo(Nid nid) {
        return node.locked(any -> {
            LocalNi ni = node.nis.find(nid);
            if (ni != null) {
                return new UdspInfo(shown(ni.localNet().priority), shown(ni.priority), List.of(), "");
            }
            PeerNi peerNi = node.peers.find(nid);
            if (peerNi == null) {
                throw new ErrnoException(Errno.ENOENT, nid + " is neither a NID of this node nor of a known peer");
            }
            return new UdspInfo(
                    shown(peerNi.peerNet.priority),
                    shown(peerNi.priority),
                    preferredSources(peerNi),
                    peerNi.routers == null ? "" : peerNi.routers.toString());
        });
    }

    private static long shown(int priority) {
        return priority == LocalNet.NO_PRIORITY ? UdspRule.NO_PRIORITY : Integer.toUnsignedLong(priority);
    }

    private List<Nid> preferredSources(PeerNi peerNi) {
        Pairs pairs = peerNi.pairs;
        if (pairs == null) {
            return List.of();
        }
        return node.nis.all().stream()
                .filter(ni -> pairs.rank(ni) != Pairs.NONE)
                .sorted(Comparator.comparingLong(pairs::rank))
                .map(LocalNi::nid)
                .toList();
    }

    @Override
    public void setNiCpts(Nid nid, List<Integer> cpts) {
        int[] wanted = node.cpts.check(cpts);
        sender.moveToCpts(() -> requireNi(nid), wanted);
    }

    private LocalNi requireNi(Nid nid) {
        node.lock.assertHeld();
        requireRunning();
        LocalNi ni = node.nis.find(nid);
        if (ni == null) {
            throw new ErrnoException(Errno.ENODEV, "there is no NI " + nid + " here");
        }
        return ni;
    }

    @Override
    public int cptOf(Nid nid) {
        return CptTable.ofNid(nid, node.cpts.all());
    }

    /** Makes a net without NIs. */
    LocalNet newNet(NiRequest request) {
        node.lock.assertHeld();
        return new LocalNet(request.net(), request.tunables(), node.settings.get(Tunable.PEER_BUFFER_CREDITS));
    }

    /**
     * Makes an NI on the CPU partitions that were asked for, else on all, or on those near the device (spec 12 §8).
     */
    LocalNi newNi(LocalNet net, NiBinding binding, Lnd lnd, NiRequest request) {
        node.lock.assertHeld();
        boolean near = request.cpts().isEmpty() && node.settings.is(Tunable.NI_CPT_DEFAULT);
        int[] cpts = near ? node.cpts.onNode(binding.numaNode()) : node.cpts.check(request.cpts());
        return new LocalNi(
                net,
                binding,
                lnd,
                request.lndTunables(),
                node.cpts.ofNode(binding.numaNode()),
                cpts.length == 0 ? node.cpts.all() : cpts);
    }
}
