package org.railyard.cli.sm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.base.host.Traced;
import org.railyard.base.host.Tracer;
import org.railyard.sm.SweepReport;

/** Sweeps are recorded if somebody records, and are told to the next listener in any case. */
class TracedSweepsTest {
    private static final SweepReport REPORT = new SweepReport(
            3, "trap 128", SweepReport.Result.DONE, 5_000_000, 400, 27, 30, 90, 1, List.of(), List.of());

    private final StringWriter text = new StringWriter();
    private final SmPrinter printer = new SmPrinter(new PrintWriter(text), new PrintWriter(text), false, "wrote");
    private final List<Traced> traced = new ArrayList<>();

    private Tracer tracer(boolean records) {
        return new Tracer() {
            @Override
            public boolean wants(Traced.Kind kind) {
                return records && kind == Traced.Kind.SWEEP;
            }

            @Override
            public void trace(Traced happened) {
                traced.add(happened);
            }
        };
    }

    @Test
    void aSweepIsRecordedAndTold() {
        new TracedSweeps(printer, tracer(true)).swept(REPORT);
        assertThat(traced)
                .containsExactly(new Traced.Sweep(3, "trap 128", SweepReport.Result.DONE, 5_000_000, 400, 27, 30, 1));
        assertThat(printer.last()).contains(REPORT);
    }

    @Test
    void nothingIsMadeWhileNobodyRecords() {
        new TracedSweeps(printer, tracer(false)).swept(REPORT);
        assertThat(traced).isEmpty();
        assertThat(printer.sweeps()).isEqualTo(1);
    }
}
