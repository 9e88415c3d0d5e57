package org.railyard.sm.sa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proven.EngineName;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.fabric.torus.conf.TorusConfParser;
import org.railyard.mad.sa.SaPathRecord;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.mad.wire.MadStatus;
import org.railyard.mad.wire.SaHeader;
import org.railyard.sm.conf.PartitionsConf;
import org.railyard.sm.conf.PrefixRoutes;
import org.railyard.sm.model.SubnetSnapshot;

/** Settings and limits of subnet administration: their ranges, and others while it runs. */
final class SaSettingsTest {
    private static final SampleTorus TORUS = SampleTorus.torus(2, 2, 1, 1);
    private static final SaSettings SOME = SaSettings.DEFAULT;

    private static SaSettings with(long saKey, int packetLife, int groupSls) {
        return new SaSettings(
                saKey,
                SOME.subnetPrefix(),
                packetLife,
                groupSls,
                SOME.partitions(),
                SOME.prefixRoutes(),
                SOME.qos(),
                SOME.limits());
    }

    @Test
    void ranges() {
        assertThat(with(1, 0, 1).packetLife()).isZero();
        assertThat(with(1, 31, SaSettings.ANY_SL).packetLife()).isEqualTo(31);
        for (int life : new int[] {-1, 32}) {
            assertThatThrownBy(() -> with(1, life, 1)).hasMessageContainingAll("packet life " + life, "0 to 31");
        }
        for (int sls : new int[] {0, 1 << 16, -1}) {
            assertThatThrownBy(() -> with(1, 18, sls)).hasMessageContaining("1 to 16 bits");
        }
    }

    @Test
    void rangesOfLimits() {
        int most = Mad.MAX_MESSAGE - Mad.SA_DATA;
        assertThat(answers(Mad.SA_DATA_SIZE).answerBytes()).isEqualTo(200);
        assertThat(answers(most).answerBytes()).isEqualTo(most);
        for (int bytes : new int[] {199, most + 1}) {
            assertThatThrownBy(() -> answers(bytes)).hasMessageContainingAll("answers of " + bytes, "200 to");
        }
        assertThat(subscriptions(0xFFFF).subscriptionsPerPort()).isEqualTo(0xFFFF);
        for (int each : new int[] {0, 0x10000}) {
            assertThatThrownBy(() -> subscriptions(each)).hasMessageContaining("1 or more, and at most 65535");
        }
    }

    private static SaLimits answers(int bytes) {
        return new SaLimits(bytes, 1, 1, 1, 1, 1, 1, 1, 1);
    }

    private static SaLimits subscriptions(int each) {
        return new SaLimits(1024, 1, 1, 1, 1, 1, each, 1, 1);
    }

    @Test
    void onlyTorus2QosHasFewSlsForGroups() {
        assertThat(SaSettings.groupSls(EngineName.MIN_HOP.engine(null, false, List.of())))
                .isEqualTo(0xFFFF);
        assertThat(SaSettings.groupSls(
                        EngineName.TORUS_2QOS.engine(TorusConfParser.parse(TORUS.conf(1)), false, List.of())))
                .isEqualTo(0x0101);
    }

    @Test
    void othersCountFromTheNextRequestOn() {
        SubnetSnapshot snapshot = Snapshots.torus(TORUS, 0, PartitionsConf.none());
        Fabric fabric = snapshot.fabric();
        SaClient client = new SaClient(SOME, snapshot, fabric.lid(snapshot.smPort()));
        Mad request = Mad.sa(MadMethod.GET, SaPathRecord.TYPE, SaPathRecord.DGID.mask());
        request.data(SaPathRecord.TYPE).setGid(SaPathRecord.DGID, 0xFEC0_0000_0000_0001L, 0x77);
        request.saHeader().set(SaHeader.SM_KEY, 9);
        int target = fabric.portIndex(fabric.nodeCount() - 1, 1);
        PrefixRoutes routes = PrefixRoutes.parse("fec0000000000001 %x".formatted(fabric.portGuid(target)));
        client.sa.configure(
                with(9, 17, SaSettings.ANY_SL).withPrefixRoutes(routes),
                PartitionsConf.none().keys(fabric.portGuid(snapshot.smPort())));
        SaPathRecord path = client.ask(request).data(SaPathRecord.TYPE);
        assertThat(path.getInt(SaPathRecord.DLID)).isEqualTo(fabric.lid(target));
        assertThat(path.getInt(SaPathRecord.LIFE)).isEqualTo(17);
        SaClient early = new SaClient(SOME, client.lid);
        early.sa.configure(SOME.withPrefixRoutes(routes), PartitionsConf.none().keys(1));
        assertThat(early.ask(request).status()).as("no subnet yet").isEqualTo(MadStatus.BUSY);
    }
}
