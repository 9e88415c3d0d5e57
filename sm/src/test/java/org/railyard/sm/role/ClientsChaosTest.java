package org.railyard.sm.role;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Clients of subnet administration, by seeds; replay one as its failure says. */
class ClientsChaosTest {
    private static final int FEW = 10;
    private static final int MANY = 3000;

    static LongStream seeds() {
        long first = Long.getLong("railyard.sm.firstSeed", 1);
        long count = Long.getLong("railyard.sm.seeds", Boolean.getBoolean("railyard.long") ? MANY : FEW);
        return LongStream.range(first, first + count);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void clientsHaveWhatTheyWereTold(long seed) {
        List<String> violations = new ClientsRun(seed, PlantedDefect.NOTHING).run();
        assertThat(violations)
                .as(
                        "seed %d; again: mvn -pl sm -am test -Dtest=ClientsChaosTest -Drailyard.sm.firstSeed=%d"
                                + " -Drailyard.sm.seeds=1 -Dsurefire.failIfNoSpecifiedTests=false",
                        seed, seed)
                .isEmpty();
    }

    /** The checks find what was planted for them; the seed has the same run without it. */
    @ParameterizedTest
    @CsvSource({
        "TAKEN_OUT, is no member of ff12:",
        "PUT_IN, is a member of ff12:",
        "NOT_FORWARDED, reaches {}",
        "FORWARDED, '=2}, not '",
        "SERVICE_REMOVED, ns before its end",
        "SERVICE_ADDED, was never registered",
        "SERVICE_RENEWED, ns after its end",
        "REPORT_LOST, has heard []",
        "REPORT_TWICE, 'has heard [66, 66]'",
        "PATH_SL, has SL 8",
        "PATH_KEY, has P_Key 0x8123",
        "PATH_MTU, has MTU code 6",
        "PATH_LID, has LIDs",
        "PATH_LOST, 0 paths from",
        "NOT_ANSWERED, not answered: ",
    })
    void plantedDefectsAreFound(PlantedDefect planted, String found) {
        assertThat(new ClientsRun(4, planted).run())
                .first(InstanceOfAssertFactories.STRING)
                .contains(found);
    }

    @Test
    void allIsCompared() {
        ClientsRun run = new ClientsRun(1, PlantedDefect.NOTHING);
        assertThat(run.run()).isEmpty();
        assertThat(run.checked()).isEqualTo(ClientsRun.ROUNDS);
    }
}
