package org.railyard.lnet.health;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.PeerNi;

/** Keeps the health of NIs and peer NIs, and the lists of those that are to be pinged until they are well again. Guarded by the stack's lock. */
public final class HealthBook {
    /** What a failure takes, and an answered recovery ping gives, of {@link LocalNi#FULL_HEALTH}. */
    public static final int SENSITIVITY = 100;

    private final Set<LocalNi> localRecovery = new LinkedHashSet<>();
    private final Set<PeerNi> peerRecovery = new LinkedHashSet<>();

    /** Makes a book in which all are well. */
    public HealthBook() {}

    /** A message failed on the way between two NIs. */
    public void failed(LocalNi ni, PeerNi peerNi, HealthStatus status) {
        Blame blame = Blame.of(status);
        if (blame.isLocal()) {
            lower(ni);
        }
        if (blame.isRemote()) {
            lower(peerNi);
        }
    }

    /** An NI did something wrong. */
    public void lower(LocalNi ni) {
        ni.health = Math.max(0, ni.health - SENSITIVITY);
        if (ni.isUsable()) {
            localRecovery.add(ni);
        }
    }

    /** A peer NI did something wrong, or its node says that it is down. */
    public void lower(PeerNi peerNi) {
        peerNi.health = Math.max(0, peerNi.health - SENSITIVITY);
        if (peerNi.everAlive) {
            peerRecovery.add(peerNi);
        }
    }

    /** An NI answered its recovery ping. */
    public void raise(LocalNi ni) {
        ni.health = Math.min(LocalNi.FULL_HEALTH, ni.health + SENSITIVITY);
    }

    /** A peer NI answered its recovery ping. */
    public void raise(PeerNi peerNi) {
        peerNi.health = Math.min(LocalNi.FULL_HEALTH, peerNi.health + SENSITIVITY);
    }

    /** A peer NI was heard of while it is not well: it is worth pinging. */
    public void heardOf(PeerNi peerNi) {
        if (peerNi.health < LocalNi.FULL_HEALTH) {
            peerRecovery.add(peerNi);
        }
    }

    /** Returns the local NIs to ping, and forgets those that are well or gone. */
    public List<LocalNi> localToPing() {
        localRecovery.removeIf(ni -> ni.health >= LocalNi.FULL_HEALTH || !ni.isUsable());
        return new ArrayList<>(localRecovery);
    }

    /** Returns the peer NIs to ping, and forgets those that are well or gone, or on a net that is. */
    public List<PeerNi> peersToPing() {
        peerRecovery.removeIf(ni -> ni.health >= LocalNi.FULL_HEALTH
                || ni.peer().detached
                || !ni.peerNet.nis.contains(ni)
                || ni.credits.max() == 0);
        return new ArrayList<>(peerRecovery);
    }
}
