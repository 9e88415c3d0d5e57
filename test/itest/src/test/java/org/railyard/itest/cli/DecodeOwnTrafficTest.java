package org.railyard.itest.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.railyard.itest.kit.Command;
import org.railyard.itest.kit.Loopback;
import org.railyard.itest.kit.TappedPair;
import org.railyard.socklnd.tune.SockLndConfig;
import org.railyard.socklnd.wire.ProtocolVersion;

/** {@code railyard decode} understands every byte that our own nodes say, in each version of the protocol. */
final class DecodeOwnTrafficTest {
    @TempDir
    private Path folder = Path.of("");

    @ParameterizedTest(name = "{0} between {1} and {2}")
    @CsvSource({
        "V1, 127.0.6.1@tcp, 127.0.6.2@tcp",
        "V2, 127.0.6.1@tcp, 127.0.6.2@tcp",
        "V3, 127.0.6.1@tcp, 127.0.6.2@tcp",
        "V4, 127.0.6.1@tcp, ::1@tcp"
    })
    void everythingIsUnderstood(ProtocolVersion version, String left, String right) throws IOException {
        Path capture = folder.resolve("own.pcap");
        int port = Loopback.freePort();
        SockLndConfig.Builder transport = Loopback.transport(port);
        if (version.compareTo(ProtocolVersion.V3) < 0) {
            transport.protocol(version);
        }
        try (TappedPair pair = new TappedPair(capture, transport, port, left, right)) {
            pair.talk();
        }
        Command text = Command.run("decode", capture.toString());
        assertThat(text.exit()).as(text.err()).isZero();
        assertThat(text.out())
                .contains(
                        "HELLO v" + version.number(),
                        "LNET GET",
                        "LNET PUT",
                        "LNET REPLY",
                        "LNET ACK",
                        "PINGINFO",
                        left,
                        right)
                .doesNotContain("undecodable", "GAP", "RESUMED");

        Command yaml = Command.run("decode", "--yaml", capture.toString());
        assertThat(yaml.exit()).isZero();
        if (!(Shape.parse(yaml.out()) instanceof Map<?, ?> document)
                || !(document.get("elements") instanceof List<?> elements)) {
            throw new AssertionError("no elements in " + yaml.out());
        }
        assertThat(document.get("problems")).isEqualTo(0);
        Map<Object, Long> kinds = elements.stream()
                .map(element ->
                        element instanceof Map<?, ?> map && map.get("element") instanceof String kind ? kind : "none")
                .collect(Collectors.groupingBy(kind -> kind, Collectors.counting()));
        assertThat(kinds)
                .containsKeys("ACCEPTOR_REQ", "HELLO", "LNET")
                .doesNotContainKeys("UNDECODABLE", "GAP", "none");
        assertThat(text.out().lines().filter(line -> line.contains(" LNET ")))
                .hasSize(Math.toIntExact(kinds.getOrDefault("LNET", 0L)));
    }
}
