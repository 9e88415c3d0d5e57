package org.railyard.o2iblnd.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.railyard.o2iblnd.wire.Kib;
import org.railyard.testkit.Requirement;

/**
 * What becomes of tunables at the ends of their ranges, and what an administrator is told of it (spec 20 §17). Without
 * the remark he looks for the value that he gave, and does not find it.
 */
class EffectiveTunablesTest {
    private static EffectiveTunables now(Tunables tunables) {
        return new EffectiveTunables(tunables, LustreRelease.NOW, Kib.V2, false);
    }

    private static EffectiveTunables old(Tunables tunables, boolean globalRegion) {
        return new EffectiveTunables(tunables, LustreRelease.V2_10, Kib.V2, globalRegion);
    }

    private static Tunables given(O2ibTunable tunable, int value) {
        return Tunables.DEFAULT.with(tunable, value);
    }

    private static List<String> about(EffectiveTunables effective, O2ibTunable tunable) {
        return effective.remarks().stream()
                .filter(remark -> remark.subject().equals(tunable.text()))
                .map(Remark::toString)
                .toList();
    }

    @Test
    void defaultsNeedNoRemark() {
        assertThat(now(Tunables.DEFAULT).remarks()).isEmpty();
        assertThat(old(Tunables.DEFAULT, true).remarks()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "8, 8, 8,",
        "255, 255, 255,",
        "7, 256, 8, 'WARNING peer_credits: given 7, effective 8: between 8 and 255'",
        "256, 256, 255, 'WARNING peer_credits: given 256, effective 255: between 8 and 255'",
        "16, 15, 15, 'WARNING peer_credits: given 16, effective 15: at most credits (row 1)'",
        "8, 1, 1, 'WARNING peer_credits: given 8, effective 1: at most credits (row 1)'"
    })
    void peerCredits(int wanted, int credits, int effective, @Nullable String remark) {
        EffectiveTunables result = now(given(O2ibTunable.PEER_CREDITS, wanted).with(O2ibTunable.CREDITS, credits));
        assertThat(result.peerCredits()).isEqualTo(effective);
        assertThat(about(result, O2ibTunable.PEER_CREDITS)).isEqualTo(remark == null ? List.of() : List.of(remark));
    }

    @ParameterizedTest
    @CsvSource({
        "true, 0, 0, ",
        "false, 0, 0, ",
        "true, 1, 2, 'given 1, effective 2'",
        "true, 2, 2, ",
        "true, 256, 256, ",
        "true, 257, 0, 'given 257, effective 0'",
        "false, 257, 256, 'given 257, effective 256'",
        "true, -1, 0, 'given -1, effective 0'"
    })
    @Requirement("mod-012")
    void mapOnDemandOfOldReleases(boolean globalRegion, int wanted, int effective, @Nullable String remark) {
        EffectiveTunables result = old(given(O2ibTunable.MAP_ON_DEMAND, wanted), globalRegion);
        assertThat(result.mapOnDemand()).isEqualTo(effective);
        assertThat(about(result, O2ibTunable.MAP_ON_DEMAND))
                .isEqualTo(
                        remark == null
                                ? List.of()
                                : List.of("WARNING map_on_demand: " + remark + ": 0…256, and 1 becomes 2 (row 8)"));
    }

    @Test
    @Requirement("mod-013")
    void fewFragmentsSendTwiceAsMany() {
        EffectiveTunables few = old(given(O2ibTunable.MAP_ON_DEMAND, 32), false);
        assertThat(few.concurrentSends()).isEqualTo(16);
        assertThat(about(few, O2ibTunable.CONCURRENT_SENDS))
                .containsExactly(
                        "NOTICE concurrent_sends: twice peer_credits, because map_on_demand is at most 32 (row 9)");
        EffectiveTunables more = old(given(O2ibTunable.MAP_ON_DEMAND, 33), false);
        assertThat(more.concurrentSends()).isEqualTo(8);
        assertThat(more.remarks()).isEmpty();
    }

    @Test
    void sendsThatLeaveCreditsUnused() {
        assertThat(now(given(O2ibTunable.CONCURRENT_SENDS, 8)).remarks()).isEmpty();
        assertThat(about(now(given(O2ibTunable.CONCURRENT_SENDS, 7)), O2ibTunable.CONCURRENT_SENDS))
                .containsExactly("WARNING concurrent_sends: 7 is less than peer_credits 8: credits can not all be used"
                        + " (row 6)");
    }

    @ParameterizedTest
    @CsvSource({"0, true", "256, true", "4096, true", "128, false", "768, false", "8192, false"})
    void onlyMtusThatExist(int mtu, boolean good) {
        assertThat(about(now(given(O2ibTunable.IB_MTU, mtu)), O2ibTunable.IB_MTU).stream()
                        .noneMatch(remark -> remark.endsWith("the NI does not start")))
                .isEqualTo(good);
    }

    @Test
    void poolsThatAreTooSmall() {
        assertThat(about(now(given(O2ibTunable.FMR_POOL_SIZE, 128)), O2ibTunable.FMR_POOL_SIZE))
                .isEmpty();
        assertThat(about(now(given(O2ibTunable.FMR_POOL_SIZE, 127)), O2ibTunable.FMR_POOL_SIZE))
                .containsExactly("ERROR fmr_pool_size: given 127, expected at least ntx/4 = 128: the NI does not start"
                        + " (row 14)");
        assertThat(now(given(O2ibTunable.FMR_FLUSH_TRIGGER, 512)).remarks()).isEmpty();
        assertThat(about(now(given(O2ibTunable.FMR_FLUSH_TRIGGER, 513)), O2ibTunable.FMR_FLUSH_TRIGGER))
                .containsExactly("WARNING fmr_flush_trigger: 513 is more than fmr_pool_size: FMRs are never flushed in"
                        + " time (row 15)");
        assertThat(about(now(given(O2ibTunable.FMR_CACHE, 0)), O2ibTunable.FMR_CACHE))
                .containsExactly(
                        "WARNING fmr_cache: given 0, effective 1: 0 means the default: it can not be switched off");
    }

    @Test
    void creditsAreReturnedBeforeThePeerHasNone() {
        EffectiveTunables two = now(Tunables.DEFAULT);
        assertThat(two.returnMark(8)).isEqualTo(4);
        assertThat(two.returnMark(4)).isEqualTo(2);
        assertThat(two.returnMark(1)).isEqualTo(1);
        EffectiveTunables one = two.in(Kib.V1);
        assertThat(one.returnMark(8)).isEqualTo(7);
        assertThat(one.returnMark(4)).as("the last is kept for a NOOP").isEqualTo(3);
        assertThat(one.returnMark(1)).isEqualTo(1);
    }

    @Test
    void ofRailyardsOwnThoseThatWereGivenAreShown() {
        assertThat(now(Tunables.DEFAULT).shown(50)).doesNotContainKeys("conn_idle_timeout", "service");
        assertThat(now(given(O2ibTunable.CONN_IDLE_TIMEOUT, 9).with(O2ibTunable.SERVICE, 988))
                        .shown(50))
                .containsEntry("conn_idle_timeout", 9)
                .doesNotContainKeys("service", "race_order");
    }

    @Test
    void timeAndPools() {
        EffectiveTunables effective = now(given(O2ibTunable.NTX, 1024));
        assertThat(effective.connectSeconds(50)).isEqualTo(12.5);
        assertThat(effective.connectSeconds(8)).isEqualTo(5);
        assertThat(effective.transmitsPerCpt(2)).isEqualTo(512);
        assertThat(effective.transmitsPerCpt(8)).isEqualTo(256);
        assertThat(effective.regionsPerCpt(1)).isEqualTo(512);
        assertThat(effective.regionsPerCpt(4)).isEqualTo(256);
    }
}
