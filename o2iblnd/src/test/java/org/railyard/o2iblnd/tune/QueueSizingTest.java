package org.railyard.o2iblnd.tune;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.railyard.o2iblnd.tune.QueueSizing.Verdict;
import org.railyard.o2iblnd.wire.Kib;
import org.railyard.testkit.Requirement;
import org.railyard.verbs.DeviceAttributes;

/**
 * Queue sizes where a device has just enough, and one less (spec 20 §10.1, §18). One off means a connection that can
 * not be made on a small device, or a verdict of the calculator that is wrong there.
 */
class QueueSizingTest {
    private static final int REGISTRATION = 2;

    private static QueueSizing of(LustreRelease era, int version, int requests, int entries) {
        return QueueSizing.of(
                new EffectiveTunables(Tunables.DEFAULT, era, version, false),
                8,
                era.maxFragments(),
                REGISTRATION,
                DeviceAttributes.MLX5.withQueueLimits(requests, entries));
    }

    /** (256 + 1) · 8 sends, 2 · 8 + 2 receives, and no second try with less. */
    @ParameterizedTest
    @CsvSource({"2056, 2074, FITS", "2055, 2074, FAILS", "2056, 2073, FAILS"})
    @Requirement({"mod-014", "mod-041"})
    void upTo210AllOrNothing(int requests, int entries, Verdict verdict) {
        assertThat(of(LustreRelease.V2_10, Kib.V2, requests, entries))
                .isEqualTo(new QueueSizing(8, 8, 257, 2056, 18, 2074, 2074, 1, verdict));
    }

    /** 1 + 256 + 2 sends for each message, and two completions of each. */
    @ParameterizedTest
    @CsvSource({
        "2072, 8, 2072, 18, 34, FITS",
        "2071, 7, 1813, 16, 30, REDUCED",
        "259, 1, 259, 4, 6, REDUCED",
        "258, 0, 0, 2, 2, FAILS"
    })
    @Requirement("mod-041")
    void in211TheSendQueueCounts(int requests, int depth, int sends, int receives, int entries, Verdict verdict) {
        assertThat(of(LustreRelease.V2_11, Kib.V2, requests, 1 << 20))
                .isEqualTo(new QueueSizing(8, depth, 259, sends, receives, entries, entries, 2, verdict));
    }

    /** 1 + 257 + 2 sends for each message; both queues count. */
    @ParameterizedTest
    @CsvSource({
        "2080, 2098, 8, 2080, 18, 2098, 2098, FITS",
        "2080, 2097, 7, 1820, 16, 2098, 1836, KERNEL_FAILS",
        "2079, 2097, 7, 2079, 16, 2097, 2095, REDUCED",
        "2079, 2095, 7, 2079, 16, 2097, 2095, KERNEL_FAILS",
        "2079, 2094, 6, 1560, 14, 2097, 1574, KERNEL_FAILS",
        "2080, 264, 1, 260, 4, 2098, 264, KERNEL_FAILS",
        "2080, 263, 0, 0, 2, 2098, 2, FAILS"
    })
    @Requirement({"mod-041", "ibl-060"})
    void nowBothQueuesCount(
            int requests, int cqe, int depth, int sends, int receives, int asked, int entries, Verdict verdict) {
        assertThat(of(LustreRelease.NOW, Kib.V2, requests, cqe))
                .isEqualTo(new QueueSizing(8, depth, 260, sends, receives, asked, entries, 2, verdict));
    }

    @Test
    @Requirement("ibl-060")
    void versionOneHasNoBuffersBesides() {
        QueueSizing sizing = of(LustreRelease.NOW, Kib.V1, 1 << 20, 1 << 20);
        assertThat(sizing).isEqualTo(new QueueSizing(8, 8, 260, 2080, 16, 2096, 2096, 2, Verdict.FITS));
        assertThat(sizing.receiveBytes()).isEqualTo(65_536);
    }
}
