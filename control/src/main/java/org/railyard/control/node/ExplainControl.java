package org.railyard.control.node;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.text.Doc;
import org.railyard.control.ExplainOperation;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.Explanation;
import org.railyard.lnet.api.NiHealth;
import org.railyard.lnet.api.NiInfo;
import org.railyard.lnet.api.PeerInfo.PeerNiInfo;
import org.railyard.lnet.api.PeerNiHealth;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.nid.Nid;

/** Says why: which way a message goes, and what the health of an NI is made of. */
final class ExplainControl {
    private static final int DEFAULT_BYTES = 4096;
    private static final int FULL_HEALTH = 1000;

    private final LNet lnet;

    ExplainControl(LNet lnet) {
        this.lnet = lnet;
    }

    static Map<String, Object> execute(ExplainOperation operation, OperationContext context) {
        return new ExplainControl(context.lnet()).execute(operation);
    }

    private Map<String, Object> execute(ExplainOperation operation) {
        return switch (operation) {
            case ExplainOperation.Path path -> path(path);
            case ExplainOperation.Health health -> health(Nids.nid(health.nid()));
        };
    }

    private Map<String, Object> path(ExplainOperation.Path path) {
        Nid to = Nids.nid(path.to());
        Nid from = path.from() == null ? Nid.ANY : Nids.nid(path.from());
        Explanation explanation = lnet.explain(to, from, path.size() == null ? DEFAULT_BYTES : path.size());
        return new Doc()
                .put("possible", explanation.isPossible())
                .put("text", explanation.toString().lines().toList())
                .map();
    }

    private Map<String, Object> health(Nid nid) {
        Optional<NiInfo> own = lnet.inventory().nis().stream()
                .filter(ni -> ni.nid().equals(nid))
                .findFirst();
        List<String> lines = own.isPresent() ? ofOwn(own.get()) : ofPeer(nid);
        return new Doc().put("text", lines).map();
    }

    private List<String> ofOwn(NiInfo ni) {
        NiHealth health = ni.failures();
        return List.of(
                "NI " + ni.nid() + " on " + ni.interfaceName() + " is " + ni.state() + ", health " + ni.health()
                        + " of " + FULL_HEALTH,
                "device: " + (health.fatal() ? "can not carry traffic; its health is left as it was" : "works")
                        + ", went down " + health.downEvents() + " times",
                "failures: " + health.timeouts() + " waited too long, " + health.dropped() + " dropped, "
                        + health.aborted() + " aborted, " + health.noRoute() + " without route, "
                        + health.interrupts() + " interrupted, " + health.error() + " other",
                each(),
                recovery(ni.health(), health.pingCount(), lnet.localRecovery().contains(ni.nid())));
    }

    private List<String> ofPeer(Nid nid) {
        PeerNiInfo ni = lnet.inventory().peer(nid).stream()
                .flatMap(peer -> peer.nis().stream())
                .filter(each -> each.nid().equals(nid))
                .findFirst()
                .orElseThrow(() -> new ErrnoException(
                        Errno.ENOENT, nid + " is neither a NID of this node nor of a peer that is known"));
        PeerNiHealth health = ni.failures();
        return List.of(
                "peer NI " + nid + ": health " + ni.health() + " of " + FULL_HEALTH + ", last said to be "
                        + (ni.up() ? "up" : "down"),
                "failures: " + health.dropped() + " dropped, " + health.timeout() + " not acknowledged, "
                        + health.networkTimeout() + " never completed, " + health.error() + " refused",
                each(),
                recovery(ni.health(), health.pingCount(), lnet.peerRecovery().contains(nid)));
    }

    private String each() {
        Settings settings = lnet.settings();
        int loss = settings.get(Tunable.HEALTH_SENSITIVITY);
        int gain = settings.get(Tunable.HEALTH_RECOVERY_INCREMENT);
        return loss == 0
                ? "health is off (health_sensitivity 0): failures cost nothing"
                : "each failure takes " + loss + " (health_sensitivity), each answered recovery ping gives "
                        + (gain == 0 ? loss : gain);
    }

    private static String recovery(int health, int pings, boolean inRecovery) {
        if (health >= FULL_HEALTH) {
            return "recovery: not needed";
        }
        return inRecovery
                ? "recovery: under way, " + pings + " pings since it was last heard; until it is well, better ones are"
                        + " chosen before it"
                : "recovery: not under way; it gets well with the next success";
    }
}
