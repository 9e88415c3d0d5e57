package org.railyard.lnet.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.railyard.base.host.CpuLayout;
import org.railyard.base.host.StateLock;
import org.railyard.lnet.api.CompatProfile;
import org.railyard.lnet.api.NodeEvent;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.cpt.CptTable;
import org.railyard.lnet.event.NodeEvents;
import org.railyard.lnet.lnd.NetTunables;
import org.railyard.lnet.lnd.NiBinding;
import org.railyard.lnet.model.LocalNet;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.Peer;
import org.railyard.lnet.model.PeerNet;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.sim.HeldLock;
import org.railyard.lnet.sim.NoLnd;
import org.railyard.lnet.sim.TestHost;
import org.railyard.testkit.Requirement;

/** Values, lists and times of health, without a node around them (spec 10 §11.3, §13). */
class HealthTableTest {
    private static final int FULL = LocalNi.FULL_HEALTH;
    private static final long SECOND = 1_000_000_000L;

    private final TestHost clock = new TestHost(0);
    private Settings settings = Settings.of(CompatProfile.DOCUMENTS);
    private int changes;
    private final StateLock lock = HeldLock.make();
    private final List<NodeEvent> events = new ArrayList<>();
    private final HealthTable table =
            new HealthTable(lock, () -> settings, clock, new NodeEvents(lock, clock, events::add), () -> changes++);
    private final LocalNi ni = localNi();
    private final PeerNet peerNet = new PeerNet(Net.TCP, new Peer(Nid.parse("10.0.0.2@tcp")));
    private final PeerNi peerNi = peerNi(2);

    private static LocalNi localNi() {
        CptTable cpts = CptTable.of(CpuLayout.UNKNOWN, 0, "N");
        LocalNi made = new LocalNi(
                new LocalNet(Net.TCP, NetTunables.DEFAULT),
                new NiBinding(Nid.parse("10.0.0.1@tcp"), "test0", -1),
                new NoLnd(),
                Map.of(),
                CptTable.ANY,
                cpts.all());
        made.become(LocalNi.State.ACTIVE);
        return made;
    }

    private PeerNi peerNi(int host) {
        PeerNi made = new PeerNi(Nid.parse("10.0.%d.%d@tcp".formatted(host >> 8, host & 0xFF)), peerNet, 8);
        peerNet.nis.add(made);
        made.everAlive = true;
        made.lastAlive = clock.nanoTime();
        return made;
    }

    private void set(Tunable tunable, int value) {
        settings = settings.with(tunable, value);
    }

    @Test
    void whatIsHeardCountsPingsAnew() {
        table.lower(ni);
        table.lower(peerNi);
        clock.advance(SECOND);
        assertThat(table.localToPing()).containsExactly(ni);
        assertThat(table.peersToPing()).containsExactly(peerNi);
        assertThat(ni.recovery.pingCount()).isEqualTo(1);
        assertThat(peerNi.recovery().pingCount()).isEqualTo(1);
        table.received(ni, peerNi, false);
        assertThat(ni.recovery.pingCount()).isZero();
        assertThat(peerNi.recovery().pingCount()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "false, 100, 0, 900, 900",
        "true, 100, 0, 900, 1000",
        "false, 100, 1, 1000, 1000",
        "true, 0, 0, 900, 900"
    })
    void whatComesInMayRaise(boolean nextHop, int sensitivity, int onAny, int local, int remote) {
        table.set(ni, 900);
        table.set(peerNi, 900);
        if (sensitivity == 0) {
            set(Tunable.RETRY_COUNT, 0);
        }
        set(Tunable.HEALTH_SENSITIVITY, sensitivity);
        set(Tunable.HEALTH_RAISE_ON_ANY_SUCCESS, onAny);
        table.received(ni, peerNi, nextHop);
        assertThat(ni.health).isEqualTo(local);
        assertThat(peerNi.health).isEqualTo(remote);
    }

    @Test
    void whatIsFullyWellStaysThat() {
        set(Tunable.HEALTH_RAISE_ON_ANY_SUCCESS, 1);
        table.sent(ni);
        table.received(ni, peerNi, true);
        table.answered(ni);
        table.answered(peerNi);
        assertThat(ni.health).isEqualTo(FULL);
        assertThat(peerNi.health).isEqualTo(FULL);
        assertThat(table.isAllWell()).isTrue();
        assertThat(changes).isZero();
    }

    @Test
    void aPeerNiThatWasNeverHeardIsPingedOnceItIs() {
        for (int way = 0; way < 2; way++) {
            PeerNi mute = peerNi(9 + way);
            mute.everAlive = false;
            table.lower(mute);
            assertThat(table.peerRecovery()).doesNotContain(mute);
            mute.everAlive = true;
            mute.lastAlive = clock.nanoTime();
            if (way == 0) {
                table.found(mute);
            } else {
                table.received(ni, mute, false);
            }
            assertThat(table.peerRecovery()).contains(mute);
        }
    }

    @Test
    void whatAnAdministratorLoweredIsPingedEvenIfItWasNeverHeardUntilItIsWell() {
        peerNi.everAlive = false;
        table.set(peerNi, 500);
        assertThat(table.peerRecovery()).containsExactly(peerNi);
        table.revive(peerNi);
        assertThat(table.peersToPing()).isEmpty();
        assertThat(table.peerRecovery()).isEmpty();
        table.lower(peerNi);
        assertThat(table.peerRecovery()).as("that wish is over").isEmpty();
    }

    @Test
    void aPeerNiThatIsSilentForTheLimitIsForgotten() {
        set(Tunable.RECOVERY_LIMIT, 10);
        table.lower(peerNi);
        clock.advance(10 * SECOND);
        assertThat(table.peersToPing()).as("to the last moment").containsExactly(peerNi);
        peerNi.recovery().pinged();
        clock.advance(1);
        assertThat(table.peersToPing()).isEmpty();
        assertThat(table.peerRecovery()).isEmpty();
        assertThat(peerNi.recovery().pingCount()).isZero();
    }

    @Test
    void soManyArePingedAtATimeTheOthersNext() {
        List<PeerNi> all = new ArrayList<>();
        for (int i = 0; i < RecoveryPlan.MAX_AT_ONCE + 2; i++) {
            PeerNi one = peerNi(256 + i);
            table.lower(one);
            all.add(one);
        }
        clock.advance(SECOND);
        assertThat(table.peersToPing()).containsExactlyElementsOf(all.subList(0, RecoveryPlan.MAX_AT_ONCE));
        assertThat(table.peersToPing()).containsExactlyElementsOf(all.subList(RecoveryPlan.MAX_AT_ONCE, all.size()));
        assertThat(table.peersToPing()).as("all are under way").isEmpty();
    }

    @Test
    @Requirement("dbg-110")
    void changesOfTheStateAreToldOnce() {
        assertThat(table.takeStateChanges()).isEmpty();
        for (int health : new int[] {FULL - 1, 0, 1, FULL}) {
            table.set(ni, health);
            assertThat(table.takeStateChanges()).as("at %d", health).containsExactly(ni);
            assertThat(table.takeStateChanges()).isEmpty();
        }
        table.set(ni, FULL - 1);
        table.takeStateChanges();
        table.set(ni, 1);
        assertThat(table.takeStateChanges()).as("degraded as before").isEmpty();
        ni.fatal = true;
        table.set(ni, 0);
        table.set(ni, FULL);
        assertThat(table.takeStateChanges()).as("failed all the time").isEmpty();
    }

    @Test
    void changesOfTheStatusAreToldOnce() {
        table.set(ni, 0);
        assertThat(ni.down).isTrue();
        assertThat(changes).isEqualTo(1);
        assertThat(table.takeStatusChanges()).containsExactly(ni);
        assertThat(table.takeStatusChanges()).isEmpty();
        table.set(ni, 999);
        assertThat(ni.down).as("until it is all well").isTrue();
        table.set(ni, FULL + 1);
        assertThat(ni.health).isEqualTo(FULL);
        assertThat(ni.down).isFalse();
        assertThat(changes).isEqualTo(2);
        table.set(ni, -1);
        assertThat(ni.health).isEqualTo(FULL);
    }

    @Test
    void contradictionsAreFound() {
        table.checkInvariants(List.of(ni));
        ni.health = 500;
        assertThatThrownBy(() -> table.checkInvariants(List.of(ni))).isInstanceOf(AssertionError.class);
        table.lower(ni);
        table.checkInvariants(List.of(ni));
        table.lower(peerNi);
        peerNi.recovery = null;
        assertThatThrownBy(() -> table.checkInvariants(List.of(ni))).isInstanceOf(AssertionError.class);
    }

    @Test
    void eachChangeIsToldAndNothingElse() {
        table.set(ni, 1000);
        assertThat(events).isEmpty();
        table.set(ni, 0);
        assertThat(events)
                .extracting(NodeEvent::text)
                .containsExactly("NI 10.0.0.1@tcp: health 1000 → 0", "NI 10.0.0.1@tcp is down: it has no health left");
        assertThat(events).allMatch(NodeEvent::isBad);
        events.clear();
        table.set(peerNi, 300);
        assertThat(events).extracting(NodeEvent::text).containsExactly("peer NI 10.0.0.2@tcp: health 1000 → 300");
    }
}
