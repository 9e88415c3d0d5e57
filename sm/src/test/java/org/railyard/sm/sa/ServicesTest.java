package org.railyard.sm.sa;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.mad.layout.Gid;
import org.railyard.mad.sa.ServiceRecord;
import org.railyard.mad.transport.MadAddress;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.mad.wire.MadStatus;
import org.railyard.sm.conf.PartitionsConf;
import org.railyard.sm.model.SubnetSnapshot;

/** Registered services: leases, keys, limits. */
final class ServicesTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long ID = 0x1000_0000_0000_0042L;
    private static final long NAMED =
            ServiceRecord.SERVICE_ID.mask() | ServiceRecord.GID.mask() | ServiceRecord.P_KEY.mask();

    private final SubnetSnapshot snapshot = Snapshots.torus(SampleTorus.torus(2, 2, 1, 1), 0, PartitionsConf.none());
    private final Fabric fabric = snapshot.fabric();
    private final SaClient client = new SaClient(SaSettings.DEFAULT, snapshot, fabric.lid(host(1)));

    private int host(int number) {
        return fabric.portIndex(fabric.switchCount() + number, 1);
    }

    private Mad request(MadMethod method, long mask, long id, int port, long lease, long key) {
        Mad request = Mad.sa(method, ServiceRecord.TYPE, mask);
        request.data(ServiceRecord.TYPE)
                .set(ServiceRecord.SERVICE_ID, id)
                .setGid(ServiceRecord.GID, Gid.DEFAULT_PREFIX, fabric.portGuid(port))
                .set(ServiceRecord.P_KEY, 0xFFFF)
                .set(ServiceRecord.LEASE, lease)
                .set(ServiceRecord.KEY_LOW, key)
                .setText(ServiceRecord.NAME, "railyard");
        return request;
    }

    private Mad register(long id, int port, long lease, long key) {
        return request(MadMethod.SET, NAMED | ServiceRecord.LEASE.mask(), id, port, lease, key);
    }

    private Mad get(long id) {
        return request(MadMethod.GET, ServiceRecord.SERVICE_ID.mask(), id, host(1), 0, 0);
    }

    /** As the transport brings it: then leases get their timers. */
    private void receive(Mad request) {
        client.sa.received(request, MadAddress.gmp(client.lid, 0));
        assertThat(client.sent.removeLast().status()).isZero();
    }

    @Test
    void aLeaseEndsUnlessItIsRenewed() {
        receive(register(ID, host(1), 60, 0));
        client.loop.runFor(59 * SECOND);
        assertThat(client.ask(get(ID)).data(ServiceRecord.TYPE).get(ServiceRecord.LEASE))
                .isEqualTo(1);
        receive(register(ID, host(1), 60, 0));
        client.loop.runFor(59 * SECOND);
        assertThat(client.ask(get(ID)).status()).isZero();
        client.loop.runFor(SECOND);
        assertThat(client.ask(get(ID)).status()).isEqualTo(MadStatus.SA_NO_RECORDS);
        assertThat(client.sa.counters().services()).isZero();
    }

    @Test
    void whoAsksWithAllThatWasRegisteredFindsIt() {
        receive(register(ID, host(1), 60, 0));
        client.loop.runFor(2 * SECOND);
        long mask = NAMED | ServiceRecord.LEASE.mask() | ServiceRecord.NAME.mask();
        Mad answer = client.ask(request(MadMethod.GET, mask, ID, host(1), 60, 0));
        assertThat(answer.status()).isZero();
        assertThat(answer.data(ServiceRecord.TYPE).get(ServiceRecord.LEASE)).isEqualTo(58);
    }

    /** Else the next master would begin it anew. */
    @Test
    void whatEndedIsNotKept() {
        List<String> kept = new ArrayList<>();
        client.sa.keep(kept::add, () -> Instant.EPOCH);
        receive(register(ID, host(1), 60, 0));
        client.loop.runFor(SubnetAdministration.SAVE_NANOS);
        assertThat(kept.getLast()).contains("service ");
        client.loop.runFor(60 * SECOND);
        assertThat(client.sa.counters().services()).isZero();
        client.sa.saveNow();
        assertThat(kept.getLast()).doesNotContain("service ");
    }

    @Test
    void whatIsNotInTheMaskIsNotTold() {
        long named = NAMED & ~ServiceRecord.P_KEY.mask();
        assertThat(client.ask(request(MadMethod.SET, named, ID, host(1), 5, 0)).status())
                .isZero();
        ServiceRecord record = client.ask(get(ID)).data(ServiceRecord.TYPE);
        assertThat(record.get(ServiceRecord.LEASE)).as("for ever").isEqualTo(0xFFFF_FFFFL);
        assertThat(record.getInt(ServiceRecord.P_KEY)).as("of no partition").isZero();
        assertThat(client.ask(request(MadMethod.DELETE, NAMED, ID, host(1), 0, 0))
                        .status())
                .as("of another one")
                .isEqualTo(MadStatus.SA_NO_RECORDS);
        assertThat(client.ask(request(MadMethod.DELETE, named, ID, host(1), 0, 0))
                        .status())
                .isZero();
    }

    @Test
    void someLeasesNeverEnd() {
        receive(register(ID, host(1), 0xFFFF_FFFFL, 0));
        client.loop.runFor(1000 * 3600 * SECOND);
        assertThat(client.ask(get(ID)).data(ServiceRecord.TYPE).get(ServiceRecord.LEASE))
                .isEqualTo(0xFFFF_FFFFL);
    }

    @Test
    void aServiceBelongsToItsPortAndItsKey() {
        assertThat(client.ask(register(ID, host(2), 60, 0)).status()).isEqualTo(MadStatus.SA_DENIED);
        assertThat(client.ask(register(ID, host(1), 60, 7)).status()).isZero();
        assertThat(client.ask(register(ID, host(1), 60, 8)).status()).isEqualTo(MadStatus.SA_DENIED);
        assertThat(client.ask(get(ID)).data(ServiceRecord.TYPE).get(ServiceRecord.KEY_LOW))
                .isZero();
        assertThat(client.askTrusted(get(ID)).data(ServiceRecord.TYPE).get(ServiceRecord.KEY_LOW))
                .isEqualTo(7);
        Mad guess = request(MadMethod.GET_TABLE, ServiceRecord.KEY_LOW.mask(), ID, host(1), 0, 7);
        assertThat(client.ask(guess).records()).isZero();
        assertThat(client.ask(request(MadMethod.DELETE, NAMED, ID, host(1), 0, 8))
                        .status())
                .isEqualTo(MadStatus.SA_DENIED);
        Mad deleted = client.ask(request(MadMethod.DELETE, NAMED, ID, host(1), 0, 7));
        assertThat(deleted.data(ServiceRecord.TYPE).getText(ServiceRecord.NAME)).isEqualTo("railyard");
        assertThat(client.ask(request(MadMethod.DELETE, NAMED, ID, host(1), 0, 7))
                        .status())
                .isEqualTo(MadStatus.SA_NO_RECORDS);
    }

    @Test
    void whatMustBeTold() {
        Mad few = request(MadMethod.SET, ServiceRecord.SERVICE_ID.mask(), ID, host(1), 60, 0);
        assertThat(client.ask(few).status()).isEqualTo(MadStatus.SA_FEW_COMPONENTS);
        Mad none = request(MadMethod.DELETE, ServiceRecord.GID.mask(), ID, host(1), 60, 0);
        assertThat(client.ask(none).status()).isEqualTo(MadStatus.SA_FEW_COMPONENTS);
        Mad wrongKey = register(ID, host(1), 60, 0);
        wrongKey.data(ServiceRecord.TYPE).set(ServiceRecord.P_KEY, 0x8001);
        assertThat(client.ask(wrongKey).status()).isEqualTo(MadStatus.SA_INVALID);
    }

    @Test
    void onlyTheServiceThatItsLeaseIsOfEnds() {
        receive(register(ID, host(1), 60, 0));
        receive(register(ID + 1, host(1), 61, 0));
        receive(register(ID + 2, host(1), 0xFFFF_FFFFL, 0));
        client.loop.runFor(60 * SECOND);
        assertThat(client.sa.counters().services()).isEqualTo(2);
        client.loop.runFor(SECOND);
        assertThat(client.sa.counters().services()).isEqualTo(1);
    }

    @Test
    void servicesOfAPartitionAreForItsMembers() {
        SubnetSnapshot.Builder parted = Snapshots.again(snapshot, fabric);
        parted.pKeys(host(1), List.of(0xFFFF, 0x8010));
        SaClient asker = new SaClient(SaSettings.DEFAULT, parted.build(), fabric.lid(host(1)));
        Mad inside = register(ID, host(1), 60, 0);
        inside.data(ServiceRecord.TYPE).set(ServiceRecord.P_KEY, 0x8010);
        assertThat(asker.ask(inside).status()).isZero();
        assertThat(asker.ask(request(MadMethod.SET, NAMED & ~ServiceRecord.P_KEY.mask(), ID, host(1), 60, 0))
                        .status())
                .isZero();
        Mad all = Mad.sa(MadMethod.GET_TABLE, ServiceRecord.TYPE, 0);
        assertThat(asker.ask(all).records()).isEqualTo(2);
        asker.lid = fabric.lid(host(2));
        assertThat(asker.ask(all).records()).as("the one of no partition").isEqualTo(1);
        assertThat(asker.askTrusted(all).records()).isEqualTo(2);
    }

    @Test
    void theTableIsBounded() {
        for (int i = 0; i < SaLimits.DEFAULT.servicesPerPort(); i++) {
            assertThat(client.ask(register(i, host(1), 60, 0)).status()).isZero();
        }
        assertThat(client.ask(register(1000, host(1), 60, 0)).status()).isEqualTo(MadStatus.SA_NO_RESOURCES);
        assertThat(client.ask(register(0, host(1), 60, 0)).status())
                .as("renewed")
                .isZero();
        client.sa.close();
        SaLimits limits = new SaLimits(1 << 16, 1, 1, 2, 2, 1, 1, 1, 1);
        SaClient small = new SaClient(SaSettings.DEFAULT.withLimits(limits), snapshot, client.lid);
        for (int i = 0; i < 3; i++) {
            assertThat(small.ask(register(i, host(1), 60, 0)).status())
                    .isEqualTo(i < 2 ? 0 : MadStatus.SA_NO_RESOURCES);
        }
        small.lid = fabric.lid(host(2));
        assertThat(small.ask(register(7, host(2), 60, 0)).status())
                .as("of all ports together")
                .isEqualTo(MadStatus.SA_NO_RESOURCES);
    }
}
