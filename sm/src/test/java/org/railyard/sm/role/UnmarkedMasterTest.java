package org.railyard.sm.role;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.mad.smp.PortInfo;

/** A subnet manager whose port no longer says that one is there: others do not find it (spec 41 §1). */
class UnmarkedMasterTest {
    private static final int PRIORITY = 5;
    private static final SampleTorus TORUS = SampleTorus.torus(2, 3, 2, 1);

    private final Managers managers = new Managers(TORUS, 1);
    private final Managers.One master = managers.start("H-0.0.0.0", PRIORITY);

    private boolean isMarked(Managers.One one) {
        return managers.info(managers.port(one.host)).can(PortInfo.CAP_IS_SM);
    }

    @Test
    void theBitOfTheMasterIsSetAgain() {
        assertThat(managers.settle(master)).isTrue();
        master.port.markSm(false);
        assertThat(managers.subnet.loop().runUntil(() -> isMarked(master), 60 * Managers.SECOND))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {PRIORITY - 1, PRIORITY + 1})
    void oneThatDoesNotFindTheMasterIsNotMasterBesideItForLong(int priority) {
        assertThat(managers.settle(master)).isTrue();
        master.port.markSm(false);
        Managers.One other = managers.start("H-1.1.1.0", priority);
        assertThat(managers.subnet.loop().runUntil(() -> other.role() == SmRole.MASTER, 60 * Managers.SECOND))
                .isTrue();
        assertThat(managers.settle(priority > PRIORITY ? other : master)).isTrue();
    }
}
