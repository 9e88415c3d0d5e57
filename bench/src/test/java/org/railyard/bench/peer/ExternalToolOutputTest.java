package org.railyard.bench.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.railyard.bench.compare.Sample;

/** Against what iperf3 3.12 and sockperf 3.7 really wrote. */
class ExternalToolOutputTest {
    private static String resource(String name) throws IOException {
        try (InputStream in = ExternalToolOutputTest.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void iperf3SumOverStreamsIsRead() throws Exception {
        assertThat(Iperf3Output.parse(resource("iperf3-two-streams.json")))
                .isEqualTo(new Sample.Bandwidth(3_447_717_888L, 1_005_921_000L));
    }

    @Test
    void iperf3ErrorIsPassedOn() throws Exception {
        String refused = resource("iperf3-refused.json");
        assertThatThrownBy(() -> Iperf3Output.parse(refused))
                .isInstanceOf(IOException.class)
                .hasMessage("iperf3: unable to connect to server: Connection refused");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {} | the output of iperf3 has no sum_received
        {"sum_received": {"seconds": 1}} | the output of iperf3 has no bytes in sum_received
        {"sum_received": {"bytes": 1}} | the output of iperf3 has no seconds in sum_received
        {"sum_received": {"bytes": -1, "seconds": 1}} | the output of iperf3 has no bytes in sum_received
        {"sum_received": {"bytes": 9999999999999999999}} | the output of iperf3 has no bytes in sum_received
        {"sum_received": {"bytes": 1, "seconds": 0}} | iperf3 measured 0 seconds
        """)
    void iperf3WithoutFiguresIsRefused(String json, String message) {
        assertThatThrownBy(() -> Iperf3Output.parse(json))
                .isInstanceOf(IOException.class)
                .hasMessage(message);
    }

    @Test
    void sockperfPercentilesAreRead() throws Exception {
        assertThat(SockperfOutput.parse(resource("sockperf-ping-pong.txt")))
                .isEqualTo(new Sample.Latency(38_849, 13.550, 19.068, 48.171));
    }

    @Test
    void sockperfErrorIsPassedOn() throws Exception {
        String refused = resource("sockperf-refused.txt");
        assertThatThrownBy(() -> SockperfOutput.parse(refused))
                .isInstanceOf(IOException.class)
                .hasMessage("sockperf: Can`t connect socket (errno=111 Connection refused)");
    }

    @Test
    void sockperfWithoutRoundTripsIsRefused() throws Exception {
        String oneWay = resource("sockperf-ping-pong.txt").replace("Round trip is", "Latency is");
        assertThatThrownBy(() -> SockperfOutput.parse(oneWay)).hasMessage("the output of sockperf has no round trips");
        String short99 = resource("sockperf-ping-pong.txt").replace("percentile 99.000", "");
        assertThatThrownBy(() -> SockperfOutput.parse(short99))
                .hasMessage("the output of sockperf has no percentile 99");
    }
}
