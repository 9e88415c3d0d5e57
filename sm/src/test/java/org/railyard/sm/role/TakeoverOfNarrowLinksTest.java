package org.railyard.sm.role;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proven.EngineName;
import org.railyard.fabric.proven.RoutingSettings;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.fabric.torus.conf.TorusConfParser;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.smp.PortState;
import org.railyard.sm.SmSettings;
import org.railyard.sm.SweepReport.Result;

/** A standby becomes master of a subnet whose links were brought up with fewer VLs than its own routes need. */
class TakeoverOfNarrowLinksTest {
    private static final SampleTorus TORUS = SampleTorus.torus(5, 5, 1, 1);
    private static final int ONE_VL = 1;
    private static final int EIGHT_VLS = 4;

    private final Managers managers = new Managers(TORUS, 1);

    private SmSettings narrow(int priority) {
        RoutingSettings upDown =
                RoutingSettings.of(EngineName.UP_DOWN.engine(TorusConfParser.parse(TORUS.conf(1)), false, List.of()));
        return SmSettings.of(upDown.withOptions(new EngineOptions(ONE_VL, 2, List.of())))
                .withRole(RoleSettings.DEFAULT.withPriority(priority));
    }

    private Set<Integer> vls() {
        Set<Integer> all = new TreeSet<>();
        for (int port = 0; port < managers.fabric.portCount(); port++) {
            if (managers.fabric.cable(port) != Fabric.NONE) {
                PortInfo info = managers.info(port);
                assertThat(info.state()).as(managers.fabric.portName(port)).isEqualTo(PortState.ACTIVE);
                all.add(info.getInt(PortInfo.OPERATIONAL_VLS));
            }
        }
        return all;
    }

    private Managers.One standbyOf(Managers.One first, SmSettings settings) {
        assertThat(managers.settle(first)).isTrue();
        Managers.One second = managers.start("H-2.3.0.0", settings);
        assertThat(managers.settle(first)).isTrue();
        assertThat(vls()).containsExactly(ONE_VL);
        return second;
    }

    @Test
    void itTakesThemDownAndUpWhereThatIsAllowed() {
        Managers.One first = managers.start("H-0.0.0.0", narrow(2));
        SmSettings wide =
                managers.settings(RoleSettings.DEFAULT.withPriority(1)).withRestarts(true);
        Managers.One second = standbyOf(first, wide);
        first.kill();
        assertThat(managers.settle(second)).as("%s", second.reports).isTrue();
        assertThat(vls()).containsExactly(EIGHT_VLS);
        assertThat(managers.masterLids()).containsExactly(second.lid());
        assertThat(managers.lids()).doesNotHaveDuplicates();
    }

    @Test
    void itLeavesThemAndTellsWhereThatIsNotAllowed() {
        Managers.One first = managers.start("H-0.0.0.0", narrow(2));
        Managers.One second = standbyOf(first, managers.settings(RoleSettings.DEFAULT.withPriority(1)));
        first.kill();
        assertThat(managers.subnet
                        .loop()
                        .runUntil(
                                () -> second.master.manager().role() == SmRole.MASTER
                                        && second.master.manager().isIdle()
                                        && second.reports.getLast().result() == Result.UNROUTABLE,
                                Managers.PATIENCE))
                .as("%s", second.reports)
                .isTrue();
        assertThat(second.reports.getLast().notes()).anyMatch(note -> note.contains("links are up with other VLs"));
        assertThat(vls()).containsExactly(ONE_VL);
    }

    /** One of higher priority takes the subnet over from one that lives, in a handover. */
    @Test
    void aHandoverDoesTheSame() {
        Managers.One first = managers.start("H-0.0.0.0", narrow(1));
        assertThat(managers.settle(first)).isTrue();
        Managers.One second = managers.start(
                "H-2.3.0.0",
                managers.settings(RoleSettings.DEFAULT.withPriority(3)).withRestarts(true));
        assertThat(managers.settle(second)).as("%s", second.reports).isTrue();
        assertThat(vls()).containsExactly(EIGHT_VLS);
        assertThat(first.master.manager().role()).isEqualTo(SmRole.STANDBY);
    }
}
