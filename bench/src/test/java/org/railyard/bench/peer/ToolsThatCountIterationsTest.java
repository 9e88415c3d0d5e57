package org.railyard.bench.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.railyard.bench.compare.Measure;
import org.railyard.bench.compare.Sample;

/** Against what ucx_perftest 1.13.1 and fi_pingpong 1.17.0 really wrote, and the kernel's table of sockets. */
class ToolsThatCountIterationsTest {
    private static final String NAMES =
            "iterations,50.0_percentile_lat,avg_lat,overall_lat,avg_bw,overall_bw,avg_mr,overall_mr\n";
    private static final String UCX = NAMES
            + "[thread 0]61407,1.283,16.721,16.721,3.65,3.65,59806,59806\n"
            + "[thread 0]136864,0.942,13.385,14.882,4.56,4.10,74709,67196\n";

    @Test
    void ucxLatencyIsDoubled() throws Exception {
        assertThat(UcxPerftestOutput.parse(Measure.ROUND_TRIP, UCX))
                .isEqualTo(new Sample.Latency(136_864, 1.884, Double.NaN, Double.NaN));
    }

    @Test
    void ucxRateIsOfTheWholeRun() throws Exception {
        long nanos = 2_036_787_904L;
        assertThat(UcxPerftestOutput.parse(Measure.MESSAGE_RATE, UCX)).isEqualTo(new Sample.Rate(136_864, nanos));
        assertThat(UcxPerftestOutput.parse(Measure.BANDWIDTH_1_RAIL, UCX))
                .isEqualTo(new Sample.Bandwidth(136_864L << 20, nanos));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        iterations,overall_mr | the output of ucx_perftest has no iterations
        nothing | the output of ucx_perftest has no line of names that begins with iterations
        iterations,overall_mr\\n[thread 0]5 | the output of ucx_perftest has no overall_mr
        iterations,overall_mr\\n[thread 0]0.5,7 | ucx_perftest: iterations is 0.5, expected 1 to 1000000000000
        iterations,overall_mr\\n[thread 0]5,x | ucx_perftest: overall_mr is not a number
        iterations,overall_mr\\n[thread 0]5,0 | ucx_perftest: overall_mr is 0.0, expected more than 0
        iterations,overall_mr\\n[thread 0]5,Infinity | ucx_perftest: overall_mr is Infinity, expected more than 0
        """)
    void ucxWithoutFiguresIsRefused(String text, String message) {
        assertThatThrownBy(() -> UcxPerftestOutput.parse(Measure.MESSAGE_RATE, text.replace("\\n", "\n")))
                .isInstanceOf(IOException.class)
                .hasMessage(message);
    }

    @Test
    void libfabricTimeOfOneWayIsDoubled() throws Exception {
        String text = """
            bytes   #sent   #ack     total       time     MB/sec    usec/xfer   Mxfers/sec
            64      2k      =2k      250k        3.81s      0.07     952.32       0.00
            """;
        assertThat(FiPingpong.parse(2000, text)).isEqualTo(new Sample.Latency(2000, 1904.64, Double.NaN, Double.NaN));
        assertThatThrownBy(() -> FiPingpong.parse(2000, "fi_getinfo(): -61"))
                .hasMessage("the output of fi_pingpong has no time of a transfer");
    }

    @Test
    void listenerIsFoundInTheTableOfSockets() {
        List<String> table = List.of(
                "  sl  local_address rem_address   st tx_queue rx_queue",
                "   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000",
                "   1: 0100007F:1F91 0100007F:9C40 01 00000000:00000000");
        assertThat(LoopbackPort.isListening(table, 8080)).isTrue();
        assertThat(LoopbackPort.isListening(table, 8081)).isFalse();
        assertThat(LoopbackPort.isListening(table, 90)).isFalse();
    }
}
