package org.railyard.sm.role;

import static org.assertj.core.api.Assertions.assertThat;
import static org.railyard.sm.role.Managers.SECOND;

import org.junit.jupiter.api.Test;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.mad.smp.PortInfo;
import org.railyard.sm.SmSettings;
import org.railyard.sm.TextInMemory;
import org.railyard.sm.conf.OpenSmOptions;
import org.railyard.sm.master.OpenSmSettings;
import org.railyard.sm.role.Managers.One;
import org.railyard.sm.sa.SaSettings;

/** Master and standby with one table of M_Keys: what the master kept there is known to whoever takes over. */
class SharedKeysTest {
    private final Managers managers = new Managers(SampleTorus.torus(2, 3, 2, 1), 3);
    private final TextInMemory table = new TextInMemory("guid2mkey");

    private SmSettings settings(int priority, long key) {
        String conf = "m_key 0x%x\nm_key_protection_level 2\n".formatted(key);
        return new OpenSmSettings(OpenSmOptions.parse(conf))
                .manager(managers.settings(RoleSettings.DEFAULT.withPriority(priority)), false);
    }

    private One start(String host, int priority) {
        One one = managers.start(host, settings(priority, 0x1234));
        one.master.manager().keepKeys(table);
        return one;
    }

    /** Returns the one that stands by, after the master has given all ports another key and died. */
    private One afterChange(String kept) {
        One master = start("H-0.0.0.0", 5);
        assertThat(managers.settle(master)).isTrue();
        One standby = start("H-1.1.1.0", 3);
        managers.subnet.loop().runFor(5 * SECOND);
        assertThat(managers.settle(master)).isTrue();
        SaSettings sa = SaSettings.DEFAULT.withGroupSls(SaSettings.TORUS_GROUP_SLS);
        managers.subnet.loop().execute(() -> master.master.configure(settings(5, 0x5678), sa, "reload"));
        managers.subnet.loop().runFor(5 * SECOND);
        assertThat(managers.settle(master)).isTrue();
        assertThat(table.load()).contains("0x0000000000005678");
        table.save(kept.isEmpty() ? table.load() : kept);
        master.kill();
        return standby;
    }

    @Test
    void aStandbyThatWasNotReloadedTakesOver() {
        One standby = afterChange("");
        assertThat(managers.settle(standby)).isTrue();
        for (int port = 0; port < managers.fabric.portCount(); port++) {
            if (managers.fabric.isEndPort(port)) {
                assertThat(managers.info(port).get(PortInfo.M_KEY)).isEqualTo(0x1234);
            }
        }
    }

    @Test
    void aTableWithErrorsIsToldWithItsNameAndNotUsed() {
        One standby = afterChange("0x11 0x1234\nnonsense\n");
        managers.subnet.loop().runFor(60 * SECOND);
        assertThat(standby.reports)
                .anyMatch(report -> report.reason().contains("; M_Keys are those read before: guid2mkey:2:1: found "));
    }
}
