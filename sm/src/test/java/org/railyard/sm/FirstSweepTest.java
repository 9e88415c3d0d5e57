package org.railyard.sm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.railyard.fabric.sample.SampleTorus;

class FirstSweepTest {
    @Test
    void bringsATorusUp() {
        SimulatedSm sm = SimulatedSm.of(SampleTorus.torus(3, 3, 3, 1), 1).started();
        System.out.println(sm.reports);
        assertThat(sm.last().result()).isEqualTo(SweepReport.Result.DONE);
    }
}
