package org.railyard.sm.role;

import static org.assertj.core.api.Assertions.assertThat;
import static org.railyard.sm.role.Managers.PATIENCE;
import static org.railyard.sm.role.Managers.SECOND;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.mad.sa.GuidInfoRecord;
import org.railyard.mad.sim.SimulatedNode;
import org.railyard.mad.sim.SimulatedPort;
import org.railyard.mad.smp.GuidInfo;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.transport.MadAddress;
import org.railyard.mad.transport.MadRequests;
import org.railyard.mad.transport.RequestOutcome;
import org.railyard.mad.transport.RequestSettings;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.mad.wire.MadStatus;
import org.railyard.sm.SmSettings;
import org.railyard.sm.SweepReport;
import org.railyard.sm.conf.OpenSmOptions;
import org.railyard.sm.master.OpenSmSettings;
import org.railyard.sm.role.Managers.One;
import org.railyard.sm.sa.SaStore;

/** Alias GUIDs in ports: written when a host asks, again when it has started anew, and by the next master. */
class AliasGuidsInSubnetTest {
    private static final String HOST_A = "H-0.0.0.0";
    private static final String HOST_B = "H-1.2.2.0";
    private static final String CLIENT = "H-1.1.1.0";
    private static final long ALIAS = 0x0002_C903_0000_0042L;
    private static final int BLOCK = 2;
    private static final int INDEX = 5;

    private final Managers subnet = new Managers(SampleTorus.torus(2, 3, 3, 1), 7);
    private final Fabric fabric = subnet.fabric;
    private final int port = subnet.port(CLIENT);
    private final MadRequests requests = requests();

    private MadRequests requests() {
        SimulatedPort transport = subnet.subnet.attach(port);
        return new MadRequests(transport, RequestSettings.DEFAULT.withTimeout(SECOND, 3), (mad, from) -> {});
    }

    private SimulatedNode node() {
        return subnet.subnet.node(fabric.nodeOf(port));
    }

    private long held() {
        return node().guids(fabric.portNumber(port), BLOCK).get(GuidInfo.GUIDS, INDEX);
    }

    private Mad ask(MadMethod method, long guid, One master) {
        long bit = (GuidInfoRecord.GUIDS.mask() & -GuidInfoRecord.GUIDS.mask()) << INDEX;
        Mad request =
                Mad.sa(method, GuidInfoRecord.TYPE, GuidInfoRecord.LID.mask() | GuidInfoRecord.BLOCK.mask() | bit);
        request.data(GuidInfoRecord.TYPE)
                .set(GuidInfoRecord.LID, subnet.info(port).getInt(PortInfo.LID))
                .set(GuidInfoRecord.BLOCK, BLOCK)
                .set(GuidInfoRecord.GUIDS, INDEX, guid);
        List<RequestOutcome> ended = new ArrayList<>();
        MadAddress sa = MadAddress.gmp(master.lid(), 0);
        subnet.subnet.loop().execute(() -> requests.submit(request, sa, ended::add));
        assertThat(subnet.subnet.loop().runUntil(() -> !ended.isEmpty(), PATIENCE))
                .isTrue();
        return ((RequestOutcome.Answered) ended.getFirst()).mad();
    }

    private void settle(One master) {
        int before = master.reports.size();
        assertThat(subnet.subnet
                        .loop()
                        .runUntil(
                                () -> master.reports.size() > before
                                        && master.master.manager().isIdle()
                                        && master.reports.getLast().result() == SweepReport.Result.DONE,
                                PATIENCE))
                .isTrue();
    }

    private static long sets(SweepReport report) {
        return report.phases().stream()
                .filter(phase -> phase.name().equals("GUIDInfo"))
                .mapToLong(phase -> phase.sets())
                .sum();
    }

    private One started() {
        One a = subnet.start(HOST_A, 5);
        assertThat(subnet.settle(a)).isTrue();
        return a;
    }

    @Test
    void theyAreWrittenOnceAndTakenAway() {
        One a = started();
        assertThat(ask(MadMethod.SET, ALIAS, a).status()).isEqualTo(MadStatus.OK);
        settle(a);
        assertThat(held()).isEqualTo(ALIAS);
        assertThat(sets(a.reports.getLast())).isEqualTo(1);
        assertThat(a.reports.getLast().notes()).contains("cables and links are as they were");
        subnet.subnet.loop().execute(() -> a.master.manager().sweepNow("test"));
        settle(a);
        assertThat(sets(a.reports.getLast())).isZero();
        assertThat(ask(MadMethod.DELETE, 0, a).status()).isEqualTo(MadStatus.OK);
        settle(a);
        assertThat(held()).isZero();
    }

    @Test
    void aHostThatHasStartedAnewHasThemAgain() {
        One a = started();
        ask(MadMethod.SET, ALIAS, a);
        settle(a);
        subnet.subnet.powerOff(fabric.nodeOf(port));
        settle(a);
        subnet.subnet.powerOn(fabric.nodeOf(port));
        assertThat(held()).isZero();
        settle(a);
        assertThat(held()).isEqualTo(ALIAS);
    }

    /** So fast that no sweep has seen it absent. */
    @Test
    void aHostThatWasAwayForAMomentHasThemAgain() {
        One a = started();
        ask(MadMethod.SET, ALIAS, a);
        settle(a);
        subnet.subnet.powerOff(fabric.nodeOf(port));
        subnet.subnet.powerOn(fabric.nodeOf(port));
        assertThat(held()).isZero();
        settle(a);
        assertThat(held()).isEqualTo(ALIAS);
    }

    @Test
    void aKeyIsNoHindrance() {
        SmSettings keyed = new OpenSmSettings(OpenSmOptions.parse("m_key 0x77\nm_key_protection_level 3\n"))
                .manager(subnet.settings(RoleSettings.DEFAULT), false);
        One a = subnet.start(HOST_A, keyed);
        assertThat(subnet.settle(a)).isTrue();
        assertThat(subnet.info(port).get(PortInfo.M_KEY)).isEqualTo(0x77);
        ask(MadMethod.SET, ALIAS, a);
        settle(a);
        assertThat(held()).isEqualTo(ALIAS);
        assertThat(subnet.info(port).getInt(PortInfo.M_KEY_VIOLATIONS)).isZero();
    }

    private void assertToldOf(One a) {
        ask(MadMethod.SET, ALIAS, a);
        settle(a);
        assertThat(a.reports.getLast().notes())
                .anyMatch(note -> note.contains("not taken by 1 port: " + CLIENT + "[1];"));
        int mads = a.reports.size();
        subnet.subnet.loop().runFor(60 * SECOND);
        assertThat(a.reports).as("no sweep for it").hasSize(mads);
        subnet.subnet.tamper(fabric.nodeOf(port), null);
        ask(MadMethod.SET, ALIAS, a);
        settle(a);
        assertThat(held()).isEqualTo(ALIAS);
        assertThat(a.reports.getLast().notes()).noneMatch(note -> note.contains("not taken"));
    }

    @Test
    void anAgentThatDoesNotTakeThemIsToldOf() {
        One a = started();
        subnet.subnet.tamper(fabric.nodeOf(port), answer -> {
            Mad other = answer.copy();
            if (answer.isAbout(GuidInfo.TYPE)) {
                other.data(GuidInfo.TYPE).set(GuidInfo.GUIDS, INDEX, 0);
            }
            return other;
        });
        assertToldOf(a);
    }

    @Test
    void anAgentThatRefusesThemIsToldOf() {
        One a = started();
        subnet.subnet.tamper(fabric.nodeOf(port), answer -> {
            Mad other = answer.copy();
            if (answer.isAbout(GuidInfo.TYPE)) {
                boolean isSet = other.data(GuidInfo.TYPE).get(GuidInfo.GUIDS, INDEX) == ALIAS && sets++ == 0;
                other.data(GuidInfo.TYPE).set(GuidInfo.GUIDS, INDEX, 0);
                other.setStatus(isSet ? MadStatus.BAD_ATTRIBUTE : MadStatus.OK);
            }
            return other;
        });
        assertToldOf(a);
    }

    private int sets;

    @Test
    void theNextMasterHasThem() {
        String[] kept = {""};
        subnet.store = new SaStore() {
            @Override
            public String load() {
                return kept[0];
            }

            @Override
            public CompletableFuture<Void> save(String text) {
                kept[0] = text;
                return CompletableFuture.completedFuture(null);
            }
        };
        One a = started();
        One b = subnet.start(HOST_B, 3);
        subnet.subnet.loop().runFor(5 * SECOND);
        ask(MadMethod.SET, ALIAS, a);
        settle(a);
        subnet.subnet.loop().runFor(5 * SECOND);
        a.kill();
        subnet.subnet.powerOff(fabric.nodeOf(port));
        subnet.subnet.powerOn(fabric.nodeOf(port));
        assertThat(held()).isZero();
        assertThat(subnet.settle(b)).isTrue();
        assertThat(held()).isEqualTo(ALIAS);
        assertThat(subnet.told.getLast()).contains("alias GUIDs: 1");
    }

    /** Without a common file it knows of none: what hosts have stays until they ask again. */
    @Test
    void aMasterThatKnowsNothingTakesNothingAway() {
        One a = started();
        One b = subnet.start(HOST_B, 3);
        subnet.subnet.loop().runFor(5 * SECOND);
        ask(MadMethod.SET, ALIAS, a);
        settle(a);
        a.kill();
        assertThat(subnet.settle(b)).isTrue();
        assertThat(held()).isEqualTo(ALIAS);
        assertThat(ask(MadMethod.DELETE, 0, b).status()).isEqualTo(MadStatus.OK);
        settle(b);
        assertThat(held()).isZero();
    }
}
