package org.railyard.o2iblnd.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumSet;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.railyard.base.ErrnoException;
import org.railyard.testkit.Requirement;
import org.railyard.verbs.DeviceAttributes;

/** The check values of spec 20 §18, and what else the calculator has to say. */
class CalculatorTest {
    private static final DeviceAttributes LARGE = DeviceAttributes.MLX5.withQueueLimits(1 << 24, 1 << 24);

    private static Calculation with(Tunables tunables, DeviceAttributes device) {
        return Calculator.calculate(
                Scene.DEFAULT.withTunables(tunables).withPeerTunables(tunables).withDevice(device));
    }

    private static Calculation withCredits(int credits, DeviceAttributes device) {
        return with(Tunables.DEFAULT.with(O2ibTunable.PEER_CREDITS, credits), device);
    }

    private static long value(Calculation calculation, String figure) {
        return (long) calculation.figure(figure).value();
    }

    @ParameterizedTest
    @CsvSource({"8, 8, 2080, 18, 2098, 73728", "32, 32, 8320, 66, 8386, 270336", "63, 63, 16380, 128, 16508, 524288"})
    @Requirement({"mod-014", "mod-030", "mod-037", "mod-041", "ibl-060"})
    void largeDevicesGiveWhatIsAsked(int credits, int depth, int sends, int receives, int entries, int bytes) {
        Calculation calculation = withCredits(credits, LARGE);
        assertThat(value(calculation, "connection.queue_depth")).isEqualTo(depth);
        assertThat(value(calculation, "connection.send_work_requests")).isEqualTo(sends);
        assertThat(value(calculation, "connection.receive_work_requests")).isEqualTo(receives);
        assertThat(value(calculation, "connection.cq_entries")).isEqualTo(entries);
        assertThat(value(calculation, "connection.receive_bytes")).isEqualTo(bytes);
        assertThat(calculation.works()).isTrue();
        assertThat(Objects.requireNonNull(calculation.sizing()).capabilities().sends())
                .isEqualTo(sends);
    }

    @Test
    @Requirement({"mod-041", "ibl-060"})
    void queuesThatAreTooLongReduceTheDepth() {
        Calculation calculation = withCredits(128, DeviceAttributes.MLX5.withQueueLimits(32_768, 1 << 24));
        assertThat(value(calculation, "connection.queue_depth")).isEqualTo(126);
        assertThat(value(calculation, "connection.send_work_requests")).isEqualTo(32_768);
        assertThat(value(calculation, "connection.receive_work_requests")).isEqualTo(254);
        assertThat(value(calculation, "connection.cq_entries")).isEqualTo(33_022);
        assertThat(value(calculation, "connection.cq_entries_asked")).isEqualTo(33_026);
        assertThat(value(calculation, "connection.receive_bytes")).isEqualTo(1_040_384);
        assertThat(calculation.remarks()).anyMatch(remark -> remark.subject().equals("connection.queue_depth"));
    }

    @Test
    @Requirement({"mod-041", "ibl-060"})
    void aCompletionQueueThatIsTooShortFailsInKernelsOnly() {
        Calculation calculation = withCredits(128, DeviceAttributes.RXE);
        assertThat(value(calculation, "connection.queue_depth")).isEqualTo(125);
        assertThat(value(calculation, "connection.cq_entries")).isEqualTo(32_752);
        assertThat(value(calculation, "connection.cq_entries_asked")).isEqualTo(33_538);
        assertThat(calculation.works()).isTrue();
        assertThat(calculation.remarks()).anyMatch(remark -> remark.text().contains("33538"));
    }

    @Test
    @Requirement({"mod-009", "mod-013", "mod-014", "mod-040"})
    void oldErasSizeQueuesByConcurrentSends() {
        Scene scene = Scene.DEFAULT
                .withEras(LustreRelease.V2_7, LustreRelease.V2_7)
                .withDevice(LARGE.withAbilities(EnumSet.of(DeviceAttributes.Ability.FMR)));
        Calculation plain = Calculator.calculate(scene);
        assertThat(value(plain, "connection.send_work_requests")).isEqualTo(2056);
        assertThat(value(plain, "connection.cq_entries")).isEqualTo(2074);
        assertThat(value(plain, "connection.send_sges")).isEqualTo(1);
        Tunables few = Tunables.DEFAULT.with(O2ibTunable.MAP_ON_DEMAND, 32);
        Calculation limited = Calculator.calculate(scene.withTunables(few).withPeerTunables(few));
        assertThat(value(limited, "effective.concurrent_sends")).isEqualTo(16);
        assertThat(value(limited, "connection.send_work_requests")).isEqualTo(528);
        assertThat(value(limited, "connection.receive_work_requests")).isEqualTo(18);
        assertThat(value(limited, "connection.cq_entries")).isEqualTo(546);
        assertThat(value(limited, "node.page_list_entries"))
                .as("what is allocated does not depend on map_on_demand")
                .isEqualTo(512 * 256);
    }

    @Test
    @Requirement("mod-041")
    void aServerWithManyClients() {
        Calculation calculation = Calculator.calculate(Scene.DEFAULT.withCounts(10_000, 1, 1));
        assertThat(value(calculation, "node.queue_pairs")).isEqualTo(10_000);
        assertThat(value(calculation, "node.completion_queues")).isEqualTo(10_000);
        assertThat(value(calculation, "node.send_work_requests")).isEqualTo(20_800_000);
        assertThat(value(calculation, "node.receive_bytes")).isEqualTo(737_280_000);
        assertThat(value(calculation, "node.lnet_messages")).isEqualTo(256);
        assertThat(value(calculation, "cluster.connections")).isEqualTo(10_001L * 10_000 / 2);
    }

    @Test
    @Requirement({"mod-041", "mod-040", "cb-051"})
    void connectionsAndRoutesMultiply() {
        Calculation calculation = Calculator.calculate(Scene.DEFAULT
                .withTunables(Tunables.DEFAULT.with(O2ibTunable.CONNS_PER_PEER, 4))
                .withCounts(3, 2, 2));
        assertThat(value(calculation, "peer.connections")).as("2 routes of 4").isEqualTo(8);
        assertThat(value(calculation, "node.connections")).as("to 3 peers").isEqualTo(24);
        assertThat(value(calculation, "node.queue_pairs")).isEqualTo(24);
        assertThat(value(calculation, "peer.send_work_requests")).isEqualTo(8 * 2080);
        assertThat(value(calculation, "peer.lnet_messages"))
                .as("depth does not grow")
                .isEqualTo(8);
        assertThat(value(calculation, "peer.rdma_transactions")).isEqualTo(64);
        assertThat(value(calculation, "node.receive_bytes")).isEqualTo(24L * 73_728);
        assertThat(value(calculation, "node.transmits")).isEqualTo(512);
        assertThat(value(calculation, "node.memory_regions")).isEqualTo(512);
        assertThat(value(calculation, "connection.transfer_work_requests")).isEqualTo(4);
        assertThat(value(calculation, "connection.receive_pages")).isEqualTo(18);
    }

    @ParameterizedTest
    @CsvSource({
        "peer_credits=3, effective.peer_credits, 8",
        "peer_credits=300, effective.peer_credits, 255",
        "credits=5, effective.peer_credits, 5",
        "peer_credits_hiw=100, effective.peer_credits_hiw, 7",
        "peer_credits_hiw=1, effective.peer_credits_hiw, 4",
        "concurrent_sends=1, effective.concurrent_sends, 4",
        "concurrent_sends=99, effective.concurrent_sends, 16",
        "conns_per_peer=500, effective.conns_per_peer, 127"
    })
    @Requirement({"mod-047", "ibl-120"})
    void valuesOutOfRangeAreReplacedAndThatIsSaid(String setting, String figure, int effective) {
        Calculation calculation = Calculator.calculate(Scene.DEFAULT.withTunables(Tunables.DEFAULT.with(setting)));
        assertThat(value(calculation, figure)).isEqualTo(effective);
        String given = setting.startsWith("credits") ? "8" : setting.substring(setting.indexOf('=') + 1);
        assertThat(calculation.remarks())
                .anyMatch(remark -> remark.text().contains("given " + given)
                        && remark.text().contains("effective " + effective));
    }

    @ParameterizedTest
    @CsvSource({
        "ib_mtu=1000",
        "fmr_pool_size=100",
        "retry_count=8",
        "rnr_retry_count=-1",
        "tos=256",
        "wrq_sge=31",
        "credits=0",
        "service=0"
    })
    @Requirement({"mod-047", "ibl-120"})
    void valuesThatKeepTheNiFromStartingAreErrors(String setting) {
        Calculation calculation = Calculator.calculate(Scene.DEFAULT.withTunables(Tunables.DEFAULT.with(setting)));
        assertThat(calculation.works()).isFalse();
        assertThat(calculation.remarks().getLast().severity()).isEqualTo(Remark.Severity.ERROR);
        assertThat(calculation.remarks().getLast().text())
                .contains("expected", setting.substring(setting.indexOf('=') + 1))
                .satisfies(text -> assertThat(text).isNotBlank());
    }

    @Test
    @Requirement({"mod-040", "mod-044"})
    void concurrentSendsChangesNothingInTheQueue() {
        Calculation before = Calculator.calculate(Scene.DEFAULT);
        Calculation after = Calculator.calculate(
                Scene.DEFAULT.withTunables(Tunables.DEFAULT.with(O2ibTunable.CONCURRENT_SENDS, 16)));
        Difference difference = Difference.between(before, after);
        assertThat(difference.changes())
                .extracting(Difference.Change::name)
                .containsExactly("effective.concurrent_sends", "peer.posted_sends");
        assertThat(difference.remarks()).anyMatch(remark -> remark.row() == 7);
        Scene old =
                Scene.DEFAULT.withEras(LustreRelease.V2_7, LustreRelease.V2_7).withDevice(LARGE);
        Difference inOldTimes = Difference.between(
                Calculator.calculate(old),
                Calculator.calculate(old.withTunables(Tunables.DEFAULT.with(O2ibTunable.CONCURRENT_SENDS, 16))));
        assertThat(inOldTimes.changes())
                .filteredOn(change -> change.name().equals("connection.send_work_requests"))
                .singleElement()
                .extracting(Difference.Change::why)
                .asString()
                .isEqualTo("concurrent_sends → effective.concurrent_sends →(7) connection.send_work_requests");
    }

    @Test
    @Requirement("mod-044")
    void everyChangeHasItsChain() {
        Calculation before = Calculator.calculate(Scene.DEFAULT.withDevice(LARGE));
        Tunables deeper = Tunables.DEFAULT.with(O2ibTunable.PEER_CREDITS, 32);
        Difference difference = Difference.between(
                before,
                Calculator.calculate(
                        Scene.DEFAULT.withDevice(LARGE).withTunables(deeper).withPeerTunables(deeper)));
        assertThat(difference.changes())
                .hasSizeGreaterThan(15)
                .allMatch(change -> !change.chain().isEmpty());
        assertThat(difference.changes())
                .filteredOn(change -> change.name().equals("node.receive_bytes"))
                .singleElement()
                .extracting(Difference.Change::why)
                .asString()
                .contains("peer_credits", "→(2)", "connection.receive_bytes");
    }

    /** Each tunable, changed alone: what changes has a chain from it; what has no strand changes nothing. */
    @ParameterizedTest
    @EnumSource(O2ibTunable.class)
    @Requirement({"mod-035", "mod-040"})
    void theWebIsTrue(O2ibTunable tunable) {
        int other = switch (tunable) {
            case IB_MTU -> 1024;
            case TOS -> 8;
            case NTX -> 1024;
            case FMR_POOL_SIZE -> 2048;
            case CREDITS -> 7;
            case RETRY_COUNT, RNR_RETRY_COUNT -> 3;
            default -> tunable.spec().defaultValue() + 1;
        };
        int changed =
                tunable == O2ibTunable.PEER_CREDITS_HIW ? 6 : tunable == O2ibTunable.CONCURRENT_SENDS ? 12 : other;
        for (LustreRelease era : new LustreRelease[] {LustreRelease.NOW, LustreRelease.V2_10}) {
            Scene scene = Scene.DEFAULT.withEras(era, era).withDevice(LARGE);
            Tunables tunables = Tunables.DEFAULT.with(tunable, changed);
            Difference difference =
                    Difference.between(Calculator.calculate(scene), Calculator.calculate(scene.withTunables(tunables)));
            assertThat(difference.changes())
                    .as("%s in era %s", tunable, era.text())
                    .allMatch(change -> !change.chain().isEmpty())
                    .allMatch(change -> change.chain().getFirst().from().equals(tunable.text()));
            boolean inWeb = TunableDependencies.strands().stream()
                    .anyMatch(strand -> strand.from().equals(tunable.text()) && (era.isOld() || !strand.onlyOld()));
            if (!inWeb) {
                assertThat(difference.changes())
                        .as("%s in era %s", tunable, era.text())
                        .isEmpty();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"0", "1", "32", "256", "9999", "-5"})
    @Requirement({"mod-031", "mod-032"})
    void mapOnDemandIsAcceptedAndIgnored(int value) {
        Calculation plain = Calculator.calculate(Scene.DEFAULT);
        Calculation set = Calculator.calculate(
                Scene.DEFAULT.withTunables(Tunables.DEFAULT.with(O2ibTunable.MAP_ON_DEMAND, value)));
        assertThat(set.figures()).isEqualTo(plain.figures());
        assertThat(value(set, "effective.map_on_demand")).isEqualTo(1);
        assertThat(set.remarks())
                .filteredOn(remark -> remark.subject().equals("map_on_demand"))
                .singleElement()
                .extracting(Remark::text)
                .asString()
                .contains("obsolete, ignored");
    }

    @ParameterizedTest
    @CsvSource({
        "2.7, -1, false, 0", "2.7, 257, false, 0", "2.7, 0, false, 0", "2.7, 256, false, 256", "2.10, 1, false, 2",
        "2.10, 300, true, 0", "2.10, 300, false, 256", "2.10, 32, true, 32", "2.11, 32, true, 1", "now, 32, true, 1"
    })
    @Requirement("mod-012")
    void mapOnDemandHadItsRanges(String era, int given, boolean global, int effective) {
        EffectiveTunables tunables = new EffectiveTunables(
                Tunables.DEFAULT.with(O2ibTunable.MAP_ON_DEMAND, given), LustreRelease.named(era), 0x12, global);
        assertThat(tunables.mapOnDemand()).isEqualTo(effective);
    }

    @Test
    @Requirement("mod-012")
    void mapOnDemandHadItsDefaults() {
        assertThat(new EffectiveTunables(Tunables.DEFAULT, LustreRelease.V2_10, 0x12, true).mapOnDemand())
                .isZero();
        assertThat(new EffectiveTunables(Tunables.DEFAULT, LustreRelease.V2_10, 0x12, false).mapOnDemand())
                .isEqualTo(256);
        assertThat(new EffectiveTunables(Tunables.DEFAULT, LustreRelease.V2_11, 0x12, false).mapOnDemand())
                .isEqualTo(1);
    }

    @Test
    @Requirement("ibl-040")
    void versionOneHasItsOwnNumbers() {
        EffectiveTunables tunables = new EffectiveTunables(
                Tunables.DEFAULT.with(O2ibTunable.PEER_CREDITS, 128), LustreRelease.NOW, 0x11, false);
        assertThat(tunables.offeredQueueDepth()).isEqualTo(8);
        assertThat(tunables.returnMark(8)).isEqualTo(7);
        assertThat(tunables.concurrentSends()).isEqualTo(16);
        Calculation calculation = Calculator.calculate(Scene.DEFAULT.withVersion(0x11));
        assertThat(value(calculation, "connection.receive_work_requests")).isEqualTo(16);
    }

    @Test
    void theReturnMarkIsNeverZero() {
        EffectiveTunables tunables = new EffectiveTunables(
                Tunables.DEFAULT.with(O2ibTunable.PEER_CREDITS, 9), LustreRelease.NOW, 0x12, false);
        assertThat(tunables.returnMark(1)).isEqualTo(1);
        assertThat(tunables.returnMark(2)).isEqualTo(1);
        assertThat(tunables.returnMark(9)).isEqualTo(4);
    }

    @Test
    @Requirement("ibl-120")
    void settingsThatAreNoneAreRefused() {
        for (String setting : new String[] {"nonsense=1", "peer_credits", "=8", "peer_credits=many", "peer_credits="}) {
            assertThatThrownBy(() -> Tunables.DEFAULT.with(setting)).isInstanceOf(ErrnoException.class);
        }
        assertThat(Tunables.DEFAULT.with("peercredits_hiw=5").get(O2ibTunable.PEER_CREDITS_HIW))
                .isEqualTo(5);
        assertThat(Tunables.OMNI_PATH.get(O2ibTunable.NTX)).isEqualTo(2048);
    }

    @Test
    void devicesWithoutRegionsDoNotStart() {
        Calculation calculation =
                with(Tunables.DEFAULT, LARGE.withAbilities(EnumSet.noneOf(DeviceAttributes.Ability.class)));
        assertThat(calculation.works()).isFalse();
        assertThat(calculation.sizing()).isNull();
        Calculation arena = Calculator.calculate(Scene.DEFAULT
                .withDevice(LARGE.withAbilities(EnumSet.noneOf(DeviceAttributes.Ability.class)))
                .withRegistration(Registration.ARENA));
        assertThat(arena.works()).isTrue();
        assertThat(value(arena, "connection.work_requests_per_message")).isEqualTo(258);
    }
}
