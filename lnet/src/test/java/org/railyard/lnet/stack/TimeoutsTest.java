package org.railyard.lnet.stack;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.railyard.lnet.api.CompatProfile;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;
import org.railyard.testkit.Requirement;

/** How the limits of messages follow from the tunables (spec 10 §15). */
class TimeoutsTest {
    private static final long SECOND = 1_000_000_000L;

    private static Settings settings(CompatProfile profile, int timeout, int retries) {
        return Settings.of(profile)
                .with(Tunable.RETRY_COUNT, 0)
                .with(Tunable.TRANSACTION_TIMEOUT, timeout)
                .with(Tunable.RETRY_COUNT, retries);
    }

    private static Settings documents(int timeout, int retries) {
        return settings(CompatProfile.DOCUMENTS, timeout, retries);
    }

    @ParameterizedTest
    @CsvSource({"150,2,75", "150,0,150", "150,1,150", "150,3,50", "20,4,5", "150,7,30"})
    @Requirement({"rsl-057", "rsl-054", "rsl-047"})
    void theMessageTimeoutIsTheTransactionTimeoutDividedByTheRetriesOfWhichFiveCount(
            int timeout, int retries, int seconds) {
        assertThat(Timeouts.message(documents(timeout, retries), 0)).isEqualTo(seconds * SECOND);
    }

    @ParameterizedTest
    @CsvSource({"150,2,49", "150,1,74", "100,99,1", "80,3,19", "20,2,6"})
    void theOtherFormulaIsThatOfLustre(int timeout, int retries, int seconds) {
        assertThat(Timeouts.lnd(settings(CompatProfile.LUSTRE, timeout, retries), 0, 1, 0))
                .isEqualTo(seconds * SECOND);
    }

    @Test
    @Requirement({"rsl-139", "rsl-140"})
    void messagesOfTheTransportShareTheMessageTimeout() {
        assertThat(Timeouts.lnd(documents(150, 2), 0, 1, 0)).isEqualTo(75 * SECOND);
        assertThat(Timeouts.lnd(documents(150, 2), 0, 2, 0)).isEqualTo(75 * SECOND / 2);
    }

    @Test
    @Requirement({"rsl-150", "rsl-151"})
    void aTransportsOwnLimitCountsWhereItIsShorterAndForLustreAlways() {
        assertThat(Timeouts.lnd(documents(150, 2), 50, 1, 0)).isEqualTo(50 * SECOND);
        assertThat(Timeouts.lnd(documents(20, 2), 50, 1, 0)).isEqualTo(10 * SECOND);
        assertThat(Timeouts.lnd(settings(CompatProfile.LUSTRE, 20, 2), 50, 1, 0))
                .isEqualTo(50 * SECOND);
    }

    @Test
    @Requirement({"rsl-137", "rsl-055"})
    void aShorterLimitOfTheDescriptorIsDividedInstead() {
        Settings settings = documents(150, 3);
        assertThat(Timeouts.message(settings, 30 * SECOND)).isEqualTo(10 * SECOND);
        assertThat(Timeouts.message(settings, 300 * SECOND)).isEqualTo(50 * SECOND);
        assertThat(Timeouts.firstDeadline(settings, 7, 30 * SECOND)).isEqualTo(7 + 30 * SECOND);
        assertThat(Timeouts.firstDeadline(settings, 7, 300 * SECOND)).isEqualTo(7 + 150 * SECOND);
    }

    @Test
    @Requirement({"rsl-025", "rsl-089"})
    void whateverIsAllowedTheLimitsAreInOrder() {
        for (int timeout : new int[] {1, 2, 5, 20, 150, 1000}) {
            for (int retries = 0; retries < Math.min(timeout, 9); retries++) {
                Settings settings = documents(timeout, retries);
                for (int lnd : new int[] {0, 1, 50, 2000}) {
                    for (int parts = 1; parts < 3; parts++) {
                        long attempt = Timeouts.lnd(settings, lnd, parts, 0);
                        assertThat(attempt).isPositive().isLessThanOrEqualTo(Timeouts.message(settings, 0));
                        if (retries > 1) {
                            assertThat(attempt).as("room for another").isLessThan(settings.transactionNanos());
                        }
                        assertThat(Timeouts.message(settings, 0)).isLessThanOrEqualTo(settings.transactionNanos());
                    }
                }
            }
        }
    }

    @Test
    @Requirement("rsl-037")
    void theDeadlineCountsFromTheFirstSendOrFromEachCommit() {
        Settings documents = documents(150, 2);
        assertThat(Timeouts.isRenewed(documents, 0)).isFalse();
        assertThat(Timeouts.firstDeadline(documents, 1000, 0)).isEqualTo(1000 + 150 * SECOND);
        Settings lustre = settings(CompatProfile.LUSTRE, 150, 2);
        assertThat(Timeouts.isRenewed(lustre, 0)).isTrue();
        assertThat(Timeouts.renewedDeadline(lustre, 1000, 50)).isEqualTo(1000 + 151 * SECOND);
        assertThat(Timeouts.renewedDeadline(lustre, 1000, 0)).isEqualTo(1000 + 150 * SECOND);
    }
}
