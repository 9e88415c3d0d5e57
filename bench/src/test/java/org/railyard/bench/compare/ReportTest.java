package org.railyard.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.railyard.base.report.HtmlPage;

class ReportTest {
    private static final Comparison RATES = new Comparison(
            Measure.MESSAGE_RATE,
            List.of(
                    new Series("LNet", false, Fakes.samples(500, 400, 600), List.of(2.0, 1.5, 2.5), null, false, null),
                    Fakes.series("nio", 1000, 1000, 1000),
                    Fakes.series("mq", 100, 250, 300),
                    new Series("gone", true, List.of(), List.of(), "not installed", false, null),
                    new Series("broken", true, Fakes.samples(7), List.of(), "failed: no memory", true, null)),
            new Surroundings(1.25, 0.004, 0.08, 0.01));

    @Test
    void tableHasOneRatioColumnPerPeerWithResults() {
        assertThat(ComparisonText.of(RATES)).isEqualTo("""
            Messages of 64 bytes in one direction (1/s; higher is better)
                    median    min    max  CPU µs each             / nio               / mq  / broken
            LNet     500.0  400.0  600.0         2.00  0.49 (0.30-0.82)  2.52 (0.56-11.29)     71.43
            nio       1000   1000   1000                           1.00  5.11 (1.18-22.06)    142.86
            mq       250.0  100.0  300.0               0.20 (0.05-0.85)               1.00     14.29
            gone    not installed
            broken    7.00   7.00   7.00                           0.01               0.07      1.00
              noisy: LNet, max/min over the rounds is 1.50; read its ratios with care
              noisy: mq, max/min over the rounds is 3.00; read its ratios with care
              incomplete: broken, 1 rounds, then failed: no memory
              meanwhile: load 1.3, steal 0.4 %, other programs 8.0 % of the CPUs; disturbed, read with care
            """);
    }

    @Test
    void aPageHasMediansRoundsAndTheTable() {
        HtmlPage page = new HtmlPage("bench", "railyard bench lnet");
        ComparisonPage.fill(page, MachineFacts.read(), List.of(RATES));
        assertThat(page.html())
                .contains("higher is better", ">nio</text>", "500 1/s", "class=\"spread\"", "<polyline class=\"line3\"")
                .contains("gone    not installed")
                .doesNotContain("NaN");
    }

    @Test
    void latencyTableHasPercentiles() {
        Comparison latencies = new Comparison(
                Measure.ROUND_TRIP,
                List.of(new Series(
                        "nio",
                        true,
                        List.of(new Sample.Latency(9, 10, 20, 30), new Sample.Latency(9, 11, 40, Double.NaN)),
                        List.of(),
                        null,
                        false,
                        null)),
                null);
        assertThat(ComparisonText.of(latencies)).isEqualTo("""
            Round trip of 64 bytes (µs; lower is better)
                   p50    p99  p99.9    min    max  / nio
            nio  10.50  30.00         10.00  11.00   1.00
            """);
    }

    @Test
    void ratioIsTheGeometricMeanOfTheRoundsAndHasAnInterval() {
        Series one = Fakes.series("one", 10, 40, 100);
        assertThat(Interval.of(one, Fakes.series("two", 20, 80, 200)))
                .hasValueSatisfying(half -> assertThat(half.ratio()).isEqualTo(0.5, within(1e-12)));
        Interval interval = Interval.of(Fakes.series("one", 100, 100), Fakes.series("two", 50, 200))
                .orElseThrow();
        assertThat(interval.ratio()).isEqualTo(1, within(1e-12));
        // The logarithms are log 2 and -log 2: their mean is off by log 2, and t is 12.706 for one degree of freedom.
        assertThat(interval.high()).isEqualTo(Math.pow(2, 12.706), within(1e-6));
        assertThat(interval.low()).isEqualTo(Math.pow(2, -12.706), within(1e-6));
        assertThat(interval.asText()).as("from next to nothing to thousands").isEqualTo("1.00 (?)");
        assertThat(new Interval(2, 0.2, 20).asText()).isEqualTo("2.00 (0.20-20.00)");
    }

    @Test
    void ratioIsOfTheRoundsThatBothHaveAndAbsentWhereThereIsNone() {
        Series one = Fakes.series("one", 10, 30);
        Series none = new Series("none", true, List.of(), List.of(), "not installed", false, null);
        assertThat(Interval.of(one, Fakes.series("two", 40))).hasValueSatisfying(quarter -> {
            assertThat(quarter.ratio()).isEqualTo(0.25, within(1e-12));
            assertThat(quarter.asText()).isEqualTo("0.25");
        });
        assertThat(Interval.of(one, none)).isEmpty();
        assertThat(Interval.of(none, one)).isEmpty();
        assertThat(Interval.of(one, Fakes.series("stalled", 0))).isEmpty();
    }

    @Test
    void failureIsNotAbsence() {
        assertThat(RATES.hasFailure()).isTrue();
        Series absent = new Series("gone", true, List.of(), List.of(), "not installed", false, null);
        assertThat(new Comparison(Measure.MESSAGE_RATE, List.of(absent), null).hasFailure())
                .isFalse();
    }

    @Test
    void jsonHoldsMachinePlanAndEveryRound() {
        MachineFacts machine = new MachineFacts(2, "Some \"CPU\"", "Linux 6", "25", 0.5, "cubic");
        Comparison small = new Comparison(
                Measure.MESSAGE_RATE,
                List.of(
                        new Series("nio", true, Fakes.samples(1000, 1010), List.of(3.0, 4.0), null, false, null),
                        new Series("gone", true, List.of(), List.of(), "not installed", false, null)),
                new Surroundings(0.5, 0.25, 0, 0));
        String json = Json.write(JsonReport.of(machine, new Plan(new RoundSettings(1, 99), 2, 0), List.of(small)));
        assertThat(json).isEqualTo("""
            {
              "machine": {
                "cores": 2,
                "processor": "Some \\"CPU\\"",
                "kernel": "Linux 6",
                "jdk": "25",
                "load_before": 0.5,
                "tcp_congestion_control": "cubic"
              },
              "plan": {
                "seconds_per_round": 1,
                "byte_limit_per_round": 99,
                "rounds": 2,
                "warmup_rounds": 0,
                "pinned": false
              },
              "measures": [
                {
                  "measure": "rate",
                  "title": "Messages of 64 bytes in one direction",
                  "unit": "1/s",
                  "higher_is_better": true,
                  "contenders": [
                    {
                      "name": "nio",
                      "peer": true,
                      "median": 1005.0,
                      "min": 1000.0,
                      "max": 1010.0,
                      "noisy": false,
                      "cpu_us_per_message": 3.5,
                      "rounds": [
                        1000.0,
                        1010.0
                      ],
                      "ratio_to": {
                        "nio": {
                          "ratio": 1.0,
                          "low": 1.0,
                          "high": 1.0
                        }
                      }
                    },
                    {
                      "name": "gone",
                      "peer": true,
                      "trouble": "not installed"
                    }
                  ],
                  "load": 0.5,
                  "steal": 0.25,
                  "other_programs": 0.0,
                  "compiling": 0.0
                }
              ]
            }
            """);
    }

    @Test
    void jsonEscapesAndLeavesOutWhatIsNoNumber() {
        assertThat(Json.write(List.of("a\"\\\n\t", Double.POSITIVE_INFINITY, List.of(), Map.of())))
                .isEqualTo("[\n  \"a\\\"\\\\\\n\\u0009\",\n  null,\n  [],\n  {}\n]\n");
    }

    @Test
    void machineFactsWarnOfOtherWork() {
        MachineFacts busy = new MachineFacts(2, "CPU", "Linux 6", "25", 1.9, "cubic");
        assertThat(busy.asText()).contains("load     1.9 before the run: other work disturbs the figures\n");
        MachineFacts quiet = new MachineFacts(2, "CPU", "Linux 6", "25", 0.1, "cubic");
        assertThat(quiet.asText()).doesNotContain("load").contains("machine  2 cores, CPU\n");
        assertThat(MachineFacts.read().cores()).isPositive();
    }
}
