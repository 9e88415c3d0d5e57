package org.railyard.sm.role;

import static org.assertj.core.api.Assertions.assertThat;
import static org.railyard.sm.role.Managers.PATIENCE;
import static org.railyard.sm.role.Managers.SECOND;

import org.junit.jupiter.api.Test;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.mad.layout.Gid;
import org.railyard.mad.sa.McMemberRecord;
import org.railyard.sm.conf.PartitionsConf;
import org.railyard.sm.role.ChaosClient.Group;
import org.railyard.sm.role.Managers.One;
import org.railyard.sm.sa.SaSettings;

/** Another configuration of partitions, with which a subnet manager begins. */
class PartitionsAfterRestartTest {
    private static final String HOST = "H-0.0.0.0";
    private static final String SEED_SWITCH = "S-1.0.0";
    private static final Group GROUP = new Group(new Gid(0xFF12_0000_0000_8010L, 1), 0x8010);

    private final Managers managers = new Managers(SampleTorus.torus(3, 3, 1, 1), 7);
    private final ChaosClient client = new ChaosClient(managers, managers.port("H-2.2.0.0"));

    private One start(String members) {
        PartitionsConf conf =
                PartitionsConf.parse("Default=0x7fff, ipoib : ALL=full ;\np=0x10 : %s=full ;\n".formatted(members));
        managers.administration =
                SaSettings.DEFAULT.withGroupSls(SaSettings.TORUS_GROUP_SLS).withPartitions(conf);
        long own = managers.fabric.portGuid(managers.port(HOST));
        return managers.start(HOST, managers.settings(RoleSettings.DEFAULT).withKeys(conf.keys(own)));
    }

    private int node(String name) {
        for (int node = 0; node < managers.fabric.switchCount(); node++) {
            if (name.equals(managers.fabric.description(node))) {
                return node;
            }
        }
        throw new IllegalArgumentException(name);
    }

    /** As long as there are no routes ports keep the P_Keys that they had: they joined, and stayed members for ever. */
    @Test
    void whoLosesAPartitionJoinsNoneOfItsGroups() {
        One before = start("0x%x".formatted(client.gid.guid()));
        assertThat(managers.settle(before)).isTrue();
        before.kill();
        managers.subnet.powerOff(node(SEED_SWITCH));
        One after = start("SELF");
        assertThat(managers.subnet
                        .loop()
                        .runUntil(() -> after.snapshot != null && after.role() == SmRole.MASTER, PATIENCE))
                .isTrue();
        boolean[] joined = {true};
        client.join(GROUP, McMemberRecord.FULL_MEMBER, isOk -> joined[0] = isOk);
        assertThat(managers.subnet.loop().runUntil(client::isIdle, PATIENCE)).isTrue();
        assertThat(joined[0]).isFalse();
        managers.subnet.powerOn(node(SEED_SWITCH));
        managers.subnet.loop().runFor(30 * SECOND);
        assertThat(managers.settle(after)).isTrue();
        assertThat(after.master.administration().counters().memberships()).isZero();
    }
}
