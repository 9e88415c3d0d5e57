package org.railyard.o2iblnd.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.railyard.base.Errno;
import org.railyard.o2iblnd.rdma.FragmentPlan.Rules;
import org.railyard.o2iblnd.tune.LustreRelease;
import org.railyard.o2iblnd.tune.Registration;
import org.railyard.o2iblnd.wire.RdmaDescriptor;
import org.railyard.testkit.Requirement;
import org.railyard.verbs.DmaList;
import org.railyard.verbs.WorkChain;

/** Shapes of memory in every registration mode and era. */
class FragmentPlanTest {
    private static final int PAGE = 4096;

    private static DmaList list(String shape) {
        DmaList list = new DmaList(300);
        switch (shape) {
            case "aligned" -> add(list, 0, 34, 0, PAGE);
            case "unaligned-first" -> {
                add(list, 100, 1, 0, PAGE - 100);
                add(list, 0, 255, 10, PAGE);
                add(list, 0, 1, 400, 100);
            }
            case "short-last" -> {
                add(list, 0, 3, 0, PAGE);
                add(list, 0, 1, 10, 17);
            }
            case "interior-gap" -> {
                add(list, 0, 1, 0, PAGE);
                add(list, 0, 1, 10, 100);
                add(list, 0, 1, 20, PAGE);
            }
            case "all-gaps" -> add(list, 7, 34, 0, 100);
            case "one-byte" -> add(list, 4095, 1, 0, 1);
            default -> throw new IllegalArgumentException(shape);
        }
        return list;
    }

    private static void add(DmaList list, int inside, int count, int firstPage, int length) {
        for (int i = 0; i < count; i++) {
            list.add((1000L + firstPage + 2L * i) * PAGE + inside, length);
        }
    }

    private static FragmentPlan plan(String shape, Rules rules, int limit) {
        return FragmentPlan.of(list(shape), PAGE, rules, limit);
    }

    @ParameterizedTest
    @CsvSource({
        "aligned, fmr, 1",
        "aligned, fastreg, 1",
        "aligned, fastreg-gaps, 1",
        "aligned, arena, 34",
        "aligned, global, 34",
        "unaligned-first, fmr, 1",
        "unaligned-first, fastreg, 1",
        "unaligned-first, arena, 257",
        "unaligned-first, global, 257",
        "short-last, fmr, 1",
        "short-last, fastreg, 1",
        "short-last, arena, 4",
        "interior-gap, fmr, 3",
        "interior-gap, fastreg, EPROTONOSUPPORT",
        "interior-gap, fastreg-gaps, 1",
        "all-gaps, fmr, 34",
        "all-gaps, fastreg, EPROTONOSUPPORT",
        "all-gaps, fastreg-gaps, 1",
        "one-byte, fmr, 1",
        "one-byte, fastreg, 1",
        "one-byte, arena, 1"
    })
    @Requirement({"mod-015", "mod-021", "mod-022", "mod-033", "ibl-070"})
    void shapesInAllModesOfToday(String shape, String mode, String expected) {
        FragmentPlan plan = plan(shape, Rules.now(Registration.named(mode)), 257);
        if (Character.isDigit(expected.charAt(0))) {
            assertThat(plan).isEqualTo(new FragmentPlan(Registration.named(mode), Integer.parseInt(expected), 0));
        } else {
            assertThat(Errno.ofStatus(plan.error())).hasToString(expected);
            assertThat(plan.fragments()).isZero();
        }
    }

    @Test
    @Requirement({"mod-021", "mod-022"})
    void oneFragmentIsOneWhateverWasAgreedOn() {
        for (int limit : new int[] {1, 32, 257}) {
            assertThat(plan("aligned", Rules.now(Registration.FASTREG), limit).fragments())
                    .isEqualTo(1);
            assertThat(plan("aligned", Rules.now(Registration.FMR), limit).fragments())
                    .isEqualTo(1);
        }
    }

    @Test
    void tooManyFragmentsAreNoticedEarly() {
        Rules rules = Rules.now(Registration.FMR);
        assertThat(plan("all-gaps", rules, 32).error()).isEqualTo(Errno.EFBIG.status());
        assertThat(plan("all-gaps", rules, 34).error()).isEqualTo(Errno.EFBIG.status());
        assertThat(plan("all-gaps", rules, 35).fragments()).isEqualTo(34);
        assertThat(plan("all-gaps", rules, FragmentPlan.NO_LIMIT).fragments()).isEqualTo(34);
        assertThat(plan("aligned", Rules.now(Registration.ARENA), 33).error()).isEqualTo(Errno.EFBIG.status());
        assertThat(plan("aligned", Rules.now(Registration.ARENA), 34).fragments())
                .isEqualTo(34);
    }

    @ParameterizedTest
    @CsvSource({
        "2.7, 0, 32, global, 34", "2.10, 0, 32, global, 34", "2.10, 256, 256, global, 34", "2.10, 32, 32, fmr, 1",
        "2.10, 34, 34, fmr, 1", "2.10, 35, 35, global, 34", "2.10, 256, 34, fmr, 1", "2.10-29290, 32, 32, fmr, 34",
        "2.11, 1, 256, fmr, 1", "2.11, 0, 256, global, 34", "now, 0, 257, fmr, 1"
    })
    @Requirement({"mod-010", "mod-011"})
    void theGlobalRegionWasTriedFirst(String era, int mapOnDemand, int limit, String mode, int fragments) {
        Rules rules = new Rules(LustreRelease.named(era), Registration.FMR, true, mapOnDemand);
        assertThat(plan("aligned", rules, limit)).isEqualTo(new FragmentPlan(Registration.named(mode), fragments, 0));
    }

    @Test
    @Requirement("mod-011")
    void fmrMadeOneOfEverythingUntil29290() {
        for (String shape : new String[] {"aligned", "all-gaps", "interior-gap"}) {
            assertThat(plan(shape, new Rules(LustreRelease.V2_7, Registration.FMR, false, 32), 32)
                            .fragments())
                    .isEqualTo(1);
            assertThat(plan(shape, new Rules(LustreRelease.V2_10, Registration.FMR, false, 32), 32)
                            .fragments())
                    .isEqualTo(1);
            assertThat(plan(shape, new Rules(LustreRelease.V2_10_29290, Registration.FMR, false, 32), 32)
                            .fragments())
                    .isEqualTo(list(shape).size());
        }
        assertThat(plan("aligned", new Rules(LustreRelease.V2_10_29290, Registration.FASTREG, false, 32), 32)
                        .fragments())
                .isEqualTo(1);
    }

    @Test
    @Requirement({"mod-020", "mod-024"})
    void thirtyFourOverThirtyTwoFailedForTheSizeOfTheQueueOnly() {
        DmaList pieces = list("aligned");
        Rules rules = new Rules(LustreRelease.V2_10_29290, Registration.FMR, false, 32);
        assertThat(FragmentPlan.of(pieces, PAGE, rules, 32).fragments()).isEqualTo(34);
        RdmaDescriptor each = new RdmaDescriptor();
        for (int i = 0; i < pieces.size(); i++) {
            each.add((long) i * PAGE, pieces.length(i));
        }
        WorkChain chain = new WorkChain();
        assertThat(RdmaChain.append(each, each, pieces.bytes(), 1, 32, 1, chain))
                .isEqualTo(Errno.EMSGSIZE.status());
        assertThat(RdmaChain.append(each, each, pieces.bytes(), 1, 256, 1, chain))
                .as("with a queue for the most fragments there can be, the same transfer works")
                .isEqualTo(34);
    }
}
