package org.railyard.lnet.peer;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import org.railyard.lnet.api.PeerState;
import org.railyard.lnet.model.Gateway;
import org.railyard.lnet.model.Peer;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.model.Trust;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.sim.HeldLock;
import org.railyard.lnet.udsp.Policy;

/** Who gives way when no further NIDs of peers can be remembered. */
class EvictionTest {
    private static final int LIMIT = 20 * Eviction.SAFE_LOOKUPS;

    private final Policy policy = new Policy();
    private final PeerTable peers = new PeerTable(HeldLock.make(), new NiTable(policy), policy, LIMIT);
    private int named;

    @AfterEach
    void allIsInOrder() {
        peers.checkInvariants();
    }

    private static Nid nid(int number) {
        return Nid.of(Net.TCP, (10 << 24) + number);
    }

    /** Somebody names so many NIDs that nobody has. */
    private void name(int count) {
        for (int i = 0; i < count; i++) {
            requireNonNull(peers.findOrCreate(nid(++named), null));
        }
    }

    private PeerNi stranger(Trust trust) {
        PeerNi ni = requireNonNull(peers.findOrCreate(nid(++named), null));
        peers.trust(ni.peer(), trust);
        return ni;
    }

    @Test
    void whoeverNamesManyNidsKeepsNobodyOut() {
        name(LIMIT);
        name(2 * LIMIT);
        assertThat(peers.count()).isEqualTo(LIMIT);
        assertThat(peers.find(nid(named))).isNotNull();
        assertThat(peers.find(nid(1))).isNull();
    }

    @Test
    void whatWasOnlyNamedGoesFirstThenWhatNeverAnswered() {
        List<PeerNi> heard = new ArrayList<>();
        List<PeerNi> answered = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            heard.add(stranger(Trust.HEARD));
            answered.add(stranger(Trust.ANSWERED));
        }
        name(2 * LIMIT);
        assertThat(heard).allMatch(ni -> peers.find(ni.nid()) == ni);
        for (int i = 0; i < 2 * LIMIT; i++) {
            stranger(Trust.HEARD);
        }
        assertThat(heard).noneMatch(ni -> peers.find(ni.nid()) == ni);
        assertThat(answered).allMatch(ni -> peers.find(ni.nid()) == ni);
    }

    @Test
    void amongThoseThatAnsweredTheOneThatWasNotLookedForLatelyGoes() {
        List<PeerNi> inUse = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            inUse.add(stranger(Trust.ANSWERED));
        }
        for (int i = 0; i < 2 * LIMIT; i++) {
            if (i % (LIMIT / 4) == 0) {
                inUse.forEach(ni -> peers.findOrCreate(ni.nid(), null));
            }
            stranger(Trust.ANSWERED);
        }
        // Where all that are looked at at a time are in use, one of them goes.
        assertThat(inUse).filteredOn(ni -> peers.find(ni.nid()) == ni).hasSizeGreaterThan(95);
    }

    @Test
    void whoIsWantedOrAtWorkStays() {
        List<Consumer<Peer>> reasons = List.of(
                peer -> peer.set(PeerState.CONFIGURED),
                peer -> peer.set(PeerState.LOCK_PRIMARY),
                peer -> peer.set(PeerState.DISCOVERING),
                peer -> peer.gateway = new Gateway(peer, 0),
                peer -> peer.mergeInto = nid(1),
                peer -> peer.queued = true,
                peer -> peer.waiters.add((now, status) -> {}),
                peer -> ni(peer).queuedBytes = 1,
                peer -> ni(peer).brought = 1,
                peer -> ni(peer).recovery().want(true));
        List<PeerNi> kept = new ArrayList<>();
        for (Consumer<Peer> reason : reasons) {
            PeerNi ni = stranger(Trust.NAMED);
            reason.accept(ni.peer());
            kept.add(ni);
        }
        name(2 * LIMIT);
        assertThat(kept).allMatch(ni -> peers.find(ni.nid()) == ni);
        for (PeerNi ni : kept) {
            ni.peer().clear(PeerState.DISCOVERING);
            ni.peer().gateway = null;
            ni.peer().waiters.clear();
        }
    }

    private static PeerNi ni(Peer peer) {
        return peer.nets.getFirst().nis.getFirst();
    }

    @Test
    void whereAllAreLookedForAgainAndAgainThereIsRoom() {
        for (int i = 0; i < LIMIT; i++) {
            stranger(Trust.ANSWERED);
        }
        for (int i = 1; i <= LIMIT; i++) {
            peers.findOrCreate(nid(i), null);
        }
        name(1);
        assertThat(peers.find(nid(1))).isNull();
        assertThat(peers.count()).isEqualTo(LIMIT);
    }

    @Test
    void whereAllAreWantedThereIsNoRoom() {
        for (int i = 0; i < LIMIT; i++) {
            stranger(Trust.NAMED).peer().set(PeerState.CONFIGURED);
        }
        for (int i = 0; i < 2 * Eviction.SAFE_LOOKUPS; i++) {
            peers.findOrCreate(nid(1), null);
        }
        assertThat(peers.findOrCreate(nid(++named), null)).isNull();
        assertThat(peers.count()).isEqualTo(LIMIT);
    }

    @Test
    void thoseWhoWatchAreToldWhy() {
        List<Integer> why = new ArrayList<>();
        name(LIMIT);
        peers.watch(new PeerWatcher() {
            @Override
            public void removed(Peer gone, @Nullable Peer successor, int status) {
                assertThat(successor).isNull();
                why.add(status);
            }
        });
        name(1);
        assertThat(why).containsExactly(Errno.ENOMEM.status());
    }
}
