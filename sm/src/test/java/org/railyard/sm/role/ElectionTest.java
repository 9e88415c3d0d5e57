package org.railyard.sm.role;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.railyard.mad.smp.SmInfo;
import org.railyard.mad.wire.DirectedPath;

/** Who is master (spec 41 §1). We have priority 5 and GUID 0x50. */
class ElectionTest {
    private static final long GUID = 0x50;
    private static final RoleSettings SETTINGS = RoleSettings.DEFAULT.withPriority(5);

    private static OtherManager other(String text) {
        String[] parts = text.split(":");
        SmInfo info = SmInfo.TYPE
                .create()
                .set(SmInfo.PRIORITY, Integer.parseInt(parts[0]))
                .set(SmInfo.GUID, Long.decode(parts[1]))
                .set(SmInfo.STATE, SmRole.valueOf(parts[2]).code())
                .set(SmInfo.SM_KEY, parts.length > 3 ? Long.decode(parts[3]) : 1);
        return OtherManager.of("H-" + parts[1], DirectedPath.OWN_NODE, 7, info);
    }

    /** Others are priority:guid:state[:key], the outcome is kind and GUID. */
    @ParameterizedTest
    @CsvSource({
        "DISCOVERING, '', MASTER",
        "DISCOVERING, 3:0x10:STANDBY, MASTER",
        "DISCOVERING, 3:0x10:DISCOVERING, MASTER",
        "DISCOVERING, 3:0x10:MASTER, STANDBY 0x10",
        "DISCOVERING, 9:0x10:MASTER, STANDBY 0x10",
        "DISCOVERING, 9:0x10:DISCOVERING, STANDBY 0x10",
        "DISCOVERING, 9:0x10:STANDBY, STANDBY 0x10",
        "DISCOVERING, 9:0x10:NOT_ACTIVE, MASTER",
        "DISCOVERING, 5:0x51:STANDBY, MASTER",
        "DISCOVERING, 5:0x4f:STANDBY, STANDBY 0x4f",
        "DISCOVERING, 5:-1:STANDBY, MASTER",
        "DISCOVERING, 9:0x10:STANDBY 3:0x20:MASTER, STANDBY 0x20",
        "DISCOVERING, 3:0x10:MASTER 4:0x20:MASTER, STANDBY 0x20",
        "DISCOVERING, 9:0x10:MASTER:2, MASTER",
        "DISCOVERING, 9:0x10:MASTER:0, STANDBY 0x10",
        "MASTER, '', MASTER",
        "MASTER, 3:0x10:MASTER, MASTER",
        "MASTER, 9:0x10:NOT_ACTIVE, MASTER",
        "MASTER, 9:0x10:DISCOVERING, HAND_OVER 0x10",
        "MASTER, 9:0x10:STANDBY, HAND_OVER 0x10",
        "MASTER, 9:0x10:MASTER, HAND_OVER 0x10",
        "MASTER, 9:0x10:STANDBY 9:0x0f:STANDBY 8:0x01:STANDBY, HAND_OVER 0x0f",
        "MASTER, 9:0x10:STANDBY:2, MASTER"
    })
    void theHigherOneOrTheMaster(SmRole own, String others, String outcome) {
        List<OtherManager> all = Stream.of(others.split(" "))
                .filter(text -> !text.isEmpty())
                .map(ElectionTest::other)
                .toList();
        Election.Outcome held = Election.hold(own, false, SETTINGS, GUID, all);
        OtherManager of = held.other();
        assertThat(held.kind() + (of == null ? "" : " 0x%02x".formatted(of.guid())))
                .isEqualTo(outcome);
        assertThat(held.notes()).hasSize(others.endsWith(":2") ? 1 : 0);
    }

    @Test
    void whoWasHandedTheSubnetTakesIt() {
        List<OtherManager> others = List.of(other("9:0x10:STANDBY"), other("3:0x20:MASTER"));
        assertThat(Election.hold(SmRole.DISCOVERING, true, SETTINGS, GUID, others)
                        .kind())
                .isEqualTo(Election.Kind.MASTER);
    }

    @Test
    void withoutAKeyAllAreTrusted() {
        RoleSettings open = new RoleSettings(5, 0, 1_000_000, 0);
        assertThat(Election.hold(SmRole.MASTER, false, open, GUID, List.of(other("9:0x10:STANDBY:77")))
                        .kind())
                .isEqualTo(Election.Kind.HAND_OVER);
    }

    @ParameterizedTest
    @CsvSource({"0, MASTER, 1", "1, MASTER, 1", "0x77, HAND_OVER, 0"})
    void withAKeyOfOnesOwnWhoTellsNoneIsNotTrusted(String key, String outcome, int notes) {
        RoleSettings closed = new RoleSettings(5, 0x77, 1_000_000, 0);
        Election.Outcome held =
                Election.hold(SmRole.MASTER, false, closed, GUID, List.of(other("9:0x10:STANDBY:" + key)));
        assertThat(held.kind()).isEqualTo(Election.Kind.valueOf(outcome));
        assertThat(held.notes()).hasSize(notes);
    }

    @Test
    void rolesTakeNoOtherSteps() {
        List<String> steps = new ArrayList<>();
        for (SmRole from : SmRole.values()) {
            for (SmRole to : SmRole.values()) {
                if (from.leadsTo(to)) {
                    steps.add(from + " " + to);
                }
            }
        }
        assertThat(steps)
                .containsExactly(
                        "NOT_ACTIVE DISCOVERING",
                        "DISCOVERING NOT_ACTIVE",
                        "DISCOVERING STANDBY",
                        "DISCOVERING MASTER",
                        "STANDBY NOT_ACTIVE",
                        "STANDBY DISCOVERING",
                        "MASTER NOT_ACTIVE",
                        "MASTER STANDBY");
    }

    @Test
    void settingsOutOfRangeAreRefused() {
        assertThatThrownBy(() -> RoleSettings.DEFAULT.withPriority(16)).hasMessageContaining("priority 16");
        assertThatThrownBy(() -> RoleSettings.DEFAULT.withPolls(999_999, 3)).hasMessageContaining("999999 ns");
        assertThatThrownBy(() -> RoleSettings.DEFAULT.withPolls(1_000_000, -1)).hasMessageContaining("-1 may fail");
    }

    @Test
    void settingsWithinTheRangeAreTaken() {
        assertThat(RoleSettings.DEFAULT.withPriority(0).priority()).isZero();
        assertThat(RoleSettings.DEFAULT.withPriority(15).priority()).isEqualTo(15);
        assertThat(new RoleSettings(4, 7, 2_000_000, 9).withPolls(1_000_000, RoleSettings.MAX_POLL_RETRIES))
                .isEqualTo(new RoleSettings(4, 7, 1_000_000, RoleSettings.MAX_POLL_RETRIES));
    }

    @Test
    void nobodyIsHigherThanItself() {
        OtherManager other = other("5:0x50:STANDBY");
        assertThat(other.isHigherThan(5, 0x50)).isFalse();
        assertThat(other.isHigherThan(5, 0x51)).isTrue();
        assertThat(other.isHigherThan(5, 0x4F)).isFalse();
        assertThat(other.isHigherThan(4, 0x4F)).isTrue();
        assertThat(other.isHigherThan(6, 0x51)).isFalse();
    }

    @Test
    void whoIsInAStateThatDoesNotExistIsNotActive() {
        assertThat(SmRole.of(3)).isEqualTo(SmRole.MASTER);
        assertThat(SmRole.of(9)).isEqualTo(SmRole.NOT_ACTIVE);
    }
}
