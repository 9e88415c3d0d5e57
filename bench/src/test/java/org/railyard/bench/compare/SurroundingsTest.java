package org.railyard.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class SurroundingsTest {
    @Test
    void differenceOfTwoMarksIsWhatWentOnBetweenThem() {
        // user nice system idle iowait irq softirq steal guest guest_nice, in 1/100 s
        Surroundings.Mark before = new Surroundings.Mark("cpu  100 10 50 1000 0 0 5 7 0 0", 2_000_000_000, 1e9, 500);
        Surroundings.Mark after =
                new Surroundings.Mark("cpu  180 20 60 1080 5 1 14 22 3 0", 4_000_000_000L, 1.4e9, 520);
        Surroundings found = after.since(before, 1.5);
        // 210 ticks in all, 110 of them busy, of which 40 are our own.
        assertThat(found.steal()).isEqualTo(15 / 210.0, within(1e-9));
        assertThat(found.others()).isEqualTo(70 / 210.0, within(1e-9));
        assertThat(found.compiling()).isEqualTo(0.01, within(1e-9));
        assertThat(found.asText())
                .isEqualTo("meanwhile: load 1.5, steal 7.1 %, other programs 33.3 % of the CPUs; disturbed, read with"
                        + " care");
    }

    @Test
    void quietMachineDisturbsNothing() {
        assertThat(new Surroundings(0.2, 0.01, 0.02, 0.03).asText())
                .isEqualTo("meanwhile: load 0.2, steal 1.0 %, other programs 2.0 % of the CPUs");
    }

    @Test
    void codeThatIsNotCompiledYetIsTold() {
        assertThat(new Surroundings(0.2, 0.01, 0.02, 0.4).asText())
                .isEqualTo("meanwhile: load 0.2, steal 1.0 %, other programs 2.0 % of the CPUs; the JVM compiled for"
                        + " 40 % of the time, more --warmup or --seconds help");
    }

    @Test
    void timeOfChildrenIsReadBehindTheNameOfTheProgram() {
        String line = "42 (a (b) c) S 1 42 42 0 -1 4194560 100 200 0 0 11 12 300 25 20 0 1 0 5 6 7";
        assertThat(CpuTime.children(line)).isEqualTo(3_250_000_000L);
    }
}
