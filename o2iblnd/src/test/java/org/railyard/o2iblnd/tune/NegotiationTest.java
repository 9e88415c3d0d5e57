package org.railyard.o2iblnd.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.railyard.o2iblnd.tune.Negotiation.Limits;
import org.railyard.o2iblnd.tune.Negotiation.Outcome;
import org.railyard.o2iblnd.wire.ConnectionParameters;
import org.railyard.o2iblnd.wire.RejectReason;
import org.railyard.testkit.Requirement;

/** Agreement on queue depth and fragments, for each pair of limits and eras. */
class NegotiationTest {
    private static final int[] FRAGMENTS = {1, 2, 32, 255, 256, 257};
    private static final int[] DEPTHS = {1, 8, 16, 128, 255};

    private static Limits limits(LustreRelease era, int depth, int fragments) {
        return new Limits(era, depth, fragments, 32, true);
    }

    @ParameterizedTest
    @EnumSource(LustreRelease.class)
    @Requirement({"mod-001", "mod-004", "mod-005", "mod-006", "mod-008", "mod-050", "ibl-040"})
    void everyPairOfLimits(LustreRelease own) {
        for (LustreRelease other : LustreRelease.values()) {
            for (int ownFragments : FRAGMENTS) {
                for (int otherFragments : FRAGMENTS) {
                    for (int ownDepth : DEPTHS) {
                        for (int otherDepth : DEPTHS) {
                            check(limits(own, ownDepth, ownFragments), limits(other, otherDepth, otherFragments));
                        }
                    }
                }
            }
        }
    }

    private static void check(Limits active, Limits passive) {
        Outcome outcome = Negotiation.between(active, passive);
        assertThat(outcome.attempts()).hasSizeBetween(1, Negotiation.MAX_ATTEMPTS);
        boolean equal = active.queueDepth() == passive.queueDepth() && active.maxFragments() == passive.maxFragments();
        boolean larger = active.queueDepth() > passive.queueDepth() || active.maxFragments() > passive.maxFragments();
        boolean connects = equal
                || passive.era() != LustreRelease.V2_7 && (active.era() != LustreRelease.V2_7 || !larger)
                || passive.era() == LustreRelease.V2_7
                        && active.era() != LustreRelease.V2_7
                        && active.queueDepth() >= passive.queueDepth()
                        && active.maxFragments() >= passive.maxFragments();
        if (connects) {
            assertThat(outcome.agreed())
                    .isEqualTo(ConnectionParameters.of(
                            Math.min(active.queueDepth(), passive.queueDepth()),
                            Math.min(active.maxFragments(), passive.maxFragments())));
        } else {
            assertThat(outcome.agreed()).as("%s with %s", active, passive).isNull();
            assertThat(outcome.rule()).isNotBlank();
        }
    }

    @Test
    @Requirement("mod-008")
    void withoutMapOnDemandThereWasNoSecondAttempt() {
        Limits plain = new Limits(LustreRelease.V2_10, 8, 256, 0, false);
        assertThat(Negotiation.between(plain, limits(LustreRelease.V2_10, 8, 32))
                        .agreed())
                .isNull();
        assertThat(Negotiation.between(plain, limits(LustreRelease.V2_10, 8, 256))
                        .agreed())
                .isNotNull();
        assertThat(Negotiation.between(limits(LustreRelease.V2_10, 8, 32), plain)
                        .agreed())
                .as("it can not do with fewer")
                .isNull();
        assertThat(Negotiation.between(plain, limits(LustreRelease.V2_10, 4, 256))
                        .agreed())
                .as("queue depth has no such rule")
                .isNotNull();
    }

    @ParameterizedTest
    @CsvSource({"8, 257, 6", "8, 300, 6", "8, 0, 6", "8, 257, 7", "9, 257, 7", "0, 257, 7", "4, 100, 1", "4, 100, 3"})
    @Requirement({"mod-006", "mod-051"})
    void aRejectThatOffersNothingSmallerEndsIt(int depth, int fragments, int why) {
        Limits own = Limits.now(8, 257);
        RejectReason reason = Objects.requireNonNull(RejectReason.of(why));
        assertThat(Negotiation.retry(own, own.parameters(), reason, ConnectionParameters.of(depth, fragments)))
                .isNull();
        assertThat(Negotiation.retry(own, own.parameters(), reason, null)).isNull();
    }

    @Test
    @Requirement({"mod-004", "mod-006"})
    void limitsThatAKernelNodeToldAreAdopted() {
        Limits own = Limits.now(9, 300);
        ConnectionParameters second =
                Negotiation.retry(own, own.parameters(), RejectReason.MSG_QUEUE_SIZE, ConnectionParameters.of(8, 257));
        assertThat(second).isEqualTo(ConnectionParameters.of(8, 300));
        assertThat(Negotiation.retry(
                        own, Objects.requireNonNull(second), RejectReason.RDMA_FRAGS, ConnectionParameters.of(8, 257)))
                .isEqualTo(ConnectionParameters.of(8, 257));
        assertThat(Negotiation.refuse(Limits.now(8, 257), ConnectionParameters.of(4, 32)))
                .isNull();
        assertThat(Negotiation.refuse(Limits.now(8, 257), ConnectionParameters.of(8, 300)))
                .isEqualTo(RejectReason.RDMA_FRAGS);
        assertThat(Negotiation.refuse(Limits.now(8, 257), ConnectionParameters.of(9, 257)))
                .isEqualTo(RejectReason.MSG_QUEUE_SIZE);
    }

    @Test
    @Requirement({"mod-002", "mod-043"})
    void whatIsOfferedDependsOnTheEra() {
        Tunables few = Tunables.DEFAULT.with(O2ibTunable.MAP_ON_DEMAND, 32);
        assertThat(Limits.of(new EffectiveTunables(few, LustreRelease.V2_10, 0x12, false))
                        .maxFragments())
                .isEqualTo(32);
        assertThat(Limits.of(new EffectiveTunables(Tunables.DEFAULT, LustreRelease.V2_10, 0x12, true))
                        .maxFragments())
                .isEqualTo(256);
        assertThat(Limits.of(new EffectiveTunables(few, LustreRelease.V2_11, 0x12, false))
                        .maxFragments())
                .isEqualTo(256);
        assertThat(Limits.of(new EffectiveTunables(few, LustreRelease.NOW, 0x12, false))
                        .maxFragments())
                .isEqualTo(257);
        Calculation calculation = Calculator.calculate(Scene.DEFAULT
                .withEras(LustreRelease.NOW, LustreRelease.V2_11)
                .withTunables(Tunables.DEFAULT.with(O2ibTunable.PEER_CREDITS, 16)));
        assertThat(calculation.negotiation().attempts())
                .extracting(Negotiation.Attempt::refused)
                .containsExactly(RejectReason.MSG_QUEUE_SIZE, RejectReason.RDMA_FRAGS, null);
        assertThat(calculation.figure("connection.queue_depth").value()).isEqualTo(8);
        assertThat(calculation.figure("connection.max_frags").value()).isEqualTo(256);
        assertThat(calculation.remarks()).anyMatch(remark -> remark.text().contains("2 request(s)"));
    }

    /** What an administrator reads who wants to know why two nodes do not connect. */
    @Test
    @Requirement({"mod-006", "mod-008"})
    void theRuleThatDecidedIsNamed() {
        Limits plain = new Limits(LustreRelease.V2_10, 8, 256, 0, false);
        assertThat(Negotiation.between(Limits.now(8, 257), Limits.now(8, 257)).rule())
                .isEqualTo("accepted as asked");
        assertThat(Negotiation.between(Limits.now(16, 257), Limits.now(8, 257)).rule())
                .isEqualTo("the smaller limits count");
        assertThat(Negotiation.between(limits(LustreRelease.V2_7, 16, 256), plain)
                        .rule())
                .isEqualTo("queue depth 16 asked, 8 there: 2.7 connects with equal limits only");
        assertThat(Negotiation.between(limits(LustreRelease.V2_10, 4, 256), limits(LustreRelease.V2_7, 8, 256))
                        .rule())
                .isEqualTo("queue depth 4 asked, 8 there: 2.7 connects with equal limits only");
        assertThat(Negotiation.between(plain, limits(LustreRelease.V2_10, 8, 32))
                        .rule())
                .isEqualTo("fragments 256 asked, 32 there: without map_on_demand there is no second attempt");
        assertThat(Negotiation.between(limits(LustreRelease.V2_10, 8, 32), plain)
                        .rule())
                .isEqualTo("fragments 32 asked, 256 there: the peer can not do with fewer");
        assertThat(Negotiation.between(new Limits(LustreRelease.NOW, 8, 32, 0, true), plain)
                        .rule())
                .isEqualTo("fragments 32 asked, 256 there: the peer can not do with fewer");
    }
}
