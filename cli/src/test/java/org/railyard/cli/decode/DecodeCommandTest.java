package org.railyard.cli.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchException;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.railyard.socklnd.wire.ProtocolVersion;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import picocli.CommandLine;

class DecodeCommandTest {
    @TempDir
    private Path directory = Path.of("");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(InputStream standardInput, String... args) {
        return new CommandLine(new DecodeCommand(standardInput))
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err, true))
                .execute(args);
    }

    private int run(String... args) {
        return run(InputStream.nullInputStream(), args);
    }

    private String file(byte[] content) throws IOException {
        return Files.write(directory.resolve("capture.pcap"), content).toString();
    }

    @Test
    void printsTextOfAFile() throws IOException {
        assertThat(run(file(new Conversation().other(22).open().bytes()))).isZero();
        assertThat(out.toString().lines().toList())
                .startsWith(
                        "# connections (initiator > acceptor):",
                        "#   c1: 10.0.0.1:1023 > 10.0.0.2:988",
                        "# connections to other ports, skipped: 1")
                .contains("  0.000001 c1  > TCP SYN", "  0.000003 c1  > ACCEPTOR_REQ v1 nid=10.0.0.2@tcp");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void readsStandardInput() {
        assertThat(run(new ByteArrayInputStream(new Conversation().open().bytes()), "-"))
                .isZero();
        assertThat(out.toString()).contains("HELLO v3");
    }

    @Test
    void marksAConnectionThatWasOpenBefore() throws IOException {
        assertThat(run(file(new Conversation().a(new byte[4]).bytes()))).isZero();
        assertThat(out.toString())
                .contains("#   c1: 10.0.0.1:1023 > 10.0.0.2:988 (the capture starts in the middle of it)");
    }

    @Test
    void looksAtOtherPorts() throws IOException {
        String file =
                file(new Conversation().other(22).other(23).other(24).open().bytes());
        assertThat(run("--port", "22", "--port", "23", file)).isZero();
        assertThat(out.toString())
                .contains("c1: 10.0.0.1:4000 > 10.0.0.2:22", "c2: 10.0.0.1:4000 > 10.0.0.2:23", "skipped: 2")
                .doesNotContain(":988");
        assertThat(run("--port", "65536", file)).isEqualTo(2);
        assertThat(err.toString()).contains("--port 65536: expected 1 to 65535");
    }

    @Test
    void goesOnBehindDamage() throws IOException {
        byte[] whole = new Conversation().open().bytes();
        assertThat(run(file(Arrays.copyOf(whole, whole.length - 1)))).isEqualTo(1);
        assertThat(err.toString().lines())
                .hasSize(2)
                .anyMatch(line -> line.matches(
                        "offset \\d+: found a packet of 96 bytes, expected at most the 95 bytes left in the file"))
                .anyMatch(line ->
                        line.endsWith("capture.pcap: 1 damaged or unusable places in 4 packets; the rest is shown"));
        assertThat(out.toString()).contains("ACCEPTOR_REQ");
    }

    @Test
    void refusesWhatIsNoCapture() throws IOException {
        assertThat(run(file("GIF89a".getBytes(StandardCharsets.US_ASCII)))).isEqualTo(2);
        assertThat(err.toString()).contains("expected the magic of a pcap or pcapng capture");
        assertThat(run(file(new byte[0]))).isEqualTo(2);
        assertThat(err.toString()).contains("a file of 0 bytes");
        assertThat(run(directory.resolve("absent").toString())).isEqualTo(2);
        assertThat(err.toString()).contains("absent: no such file");
        assertThat(run(directory.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("cannot be read");
        assertThat(run()).isEqualTo(2);
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void limitsWhatItTakesFromAPipe() {
        assertThat(catchException(() -> CaptureFile.spool(new ByteArrayInputStream(new byte[100]), 99)))
                .hasMessageContaining("more than 99 bytes");
    }

    static List<String> names() {
        return GoldenCaptures.NAMES;
    }

    @ParameterizedTest
    @MethodSource("names")
    void printsOneYamlDocument(String name) throws IOException {
        Map<?, ?> document = yaml(GoldenCaptures.pcap(name));
        assertThat(document.get("problems")).isEqualTo(0);
        assertThat(list(document, "connections")).hasSize((int) GoldenCaptures.expected(name).stream()
                .filter(line -> line.startsWith("#   c"))
                .count());
        assertThat(list(document, "elements")).hasSizeGreaterThan(10);
    }

    @Test
    void putsTypedFieldsIntoYaml() throws IOException {
        byte[] capture = new Conversation()
                .open()
                .a(Conversation.put(ProtocolVersion.V3, 2), new byte[2])
                .bytes();
        Map<?, ?> document = yaml(capture);
        assertThat((Map<?, ?>) list(document, "connections").getFirst())
                .isEqualTo(Map.of(
                        "number",
                        1,
                        "initiator",
                        Map.of("address", "10.0.0.1", "port", 1023),
                        "acceptor",
                        Map.of("address", "10.0.0.2", "port", 988),
                        "complete",
                        true));
        Map<?, ?> put = (Map<?, ?>) list(document, "elements").getLast();
        assertThat(put.get("element")).isEqualTo("LNET");
        assertThat(put.get("type")).isEqualTo("PUT");
        assertThat(put.get("time")).isEqualTo(0.000005);
        assertThat(put.get("stream_offset")).isEqualTo(72);
        assertThat(put.get("match_bits")).isEqualTo("0x77");
        assertThat(put.get("payload_length")).isEqualTo(2);
        assertThat(put.get("src_nid")).isEqualTo("10.0.0.1@tcp");
    }

    private static List<?> list(Map<?, ?> document, String key) {
        return (List<?>) Objects.requireNonNull(document.get(key));
    }

    private Map<?, ?> yaml(byte[] capture) throws IOException {
        assertThat(run("--yaml", file(capture))).isZero();
        LoadSettings settings =
                LoadSettings.builder().setCodePointLimit(Integer.MAX_VALUE).build();
        return (Map<?, ?>) new Load(settings).loadFromString(out.toString());
    }
}
