package org.railyard.decode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.decode.capture.CaptureBytes;
import org.railyard.decode.capture.CaptureProblems;
import org.railyard.decode.capture.NotACaptureException;
import org.railyard.decode.tcp.TcpConnection;
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
        return new CommandLine(new DecodeCommand(standardInput, directory.toString()))
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

    /** JSON is YAML, so that one reader reads both. */
    @Test
    void printsTheSameAsJson() throws IOException {
        byte[] capture = new Conversation().other(22).open().bytes();
        assertThat(run("--yaml", file(capture))).isZero();
        Object yaml = new Load(LoadSettings.builder().build()).loadFromString(out.toString());
        out.getBuffer().setLength(0);
        assertThat(run("--json", file(capture))).isZero();
        String whole = out.toString();
        assertThat(new Load(LoadSettings.builder().build()).loadFromString(whole))
                .isEqualTo(yaml);
        assertThat(whole.lines()).hasSizeGreaterThan(5).allMatch(line -> line.matches("[{},\\]].*"));
        out.getBuffer().setLength(0);
        assertThat(run(new ByteArrayInputStream(capture), "--json", "-")).isZero();
        assertThat(out).hasToString(whole);
        out.getBuffer().setLength(0);
        assertThat(run(new ByteArrayInputStream(capture), "--json", "--type", "reply", "-"))
                .isZero();
        assertThat(new Load(LoadSettings.builder().build()).loadFromString(out.toString()))
                .asString()
                .startsWith("{elements=[], packets=");
        assertThat(run("--json", "--yaml", "-")).isEqualTo(2);
    }

    @Test
    void writesADissectorInsteadOfReading() throws IOException {
        Path lua = directory.resolve("railyard.lua");
        assertThat(run("--dissector", lua.toString())).isZero();
        assertThat(lua).content().contains("S.hello_v2 = {bytes = 56", "register_heuristic");
        assertThat(run("--dissector", "-")).isZero();
        assertThat(out.toString()).isEqualTo(Files.readString(lua));
        assertThat(run("--dissector", directory.resolve("none/railyard.lua").toString()))
                .isEqualTo(2);
        assertThat(run("--dissector", "-", "capture.pcap")).isEqualTo(2);
        assertThat(err.toString()).contains("none/railyard.lua: cannot be written", "--dissector LUA; one of them");
    }

    @Test
    void unpacksWhatIsGzipped() throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(new Conversation().open().bytes());
        }
        assertThat(run(file(packed.toByteArray()))).isZero();
        assertThat(out.toString()).contains("HELLO v3");
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

    /** A program that captures and goes on: what it has written so far is printed, whatever it still waits for. */
    @SuppressWarnings("try")
    @ParameterizedTest
    @ValueSource(strings = {"LNET PUT", "ptl_index"})
    void printsWhileItReads(String wanted) throws Exception {
        byte[] head = new Conversation()
                .open()
                .a(Conversation.put(ProtocolVersion.V3, 2), new byte[2])
                .bytes();
        try (PipedOutputStream source = new PipedOutputStream();
                PipedInputStream in = new PipedInputStream(source, 1 << 16);
                ExecutorService command = Executors.newSingleThreadExecutor()) {
            Future<Integer> exit =
                    command.submit(() -> wanted.startsWith("LNET") ? run(in, "-") : run(in, "--yaml", "-"));
            source.write(head);
            source.flush();
            while (!out.toString().contains(wanted)) {
                assertThat(exit.isDone()).as(out.toString()).isFalse();
                Thread.onSpinWait();
            }
            source.close();
            assertThat(exit.get()).isZero();
        }
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void aStreamIsTheSameYaml() throws IOException {
        byte[] capture = new Conversation().other(22).open().bytes();
        Map<?, ?> file = yaml(capture);
        out.getBuffer().setLength(0);
        assertThat(run(new ByteArrayInputStream(capture), "--yaml", "-")).isZero();
        assertThat(new Load(LoadSettings.builder().build()).loadFromString(out.toString()))
                .isEqualTo(file);
        out.getBuffer().setLength(0);
        assertThat(run(new ByteArrayInputStream(new Conversation().other(22).bytes()), "--yaml", "-"))
                .isZero();
        assertThat(list(
                        (Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromString(out.toString()),
                        "elements"))
                .isEmpty();
    }

    /** Ctrl-C: what is there already is still taken, and nobody waits for a source that says nothing more. */
    @Test
    void anInterruptedStreamEnds() throws IOException {
        try (PipedOutputStream source = new PipedOutputStream();
                PipedInputStream in = new PipedInputStream(source);
                StreamInput input = new StreamInput(in)) {
            source.write(new byte[] {1, 2, 3});
            source.flush();
            assertThat(input.next()).containsExactly(1, 2, 3);
            input.interrupt();
            source.write(4);
            source.flush();
            assertThat(input.next()).containsExactly(4);
            input.interrupt();
            assertThat(input.next()).isNull();
            assertThat(input.wasInterrupted()).isTrue();
        }
    }

    @Test
    void filtersByNidTypeAndPortal() throws IOException {
        String file = file(new Conversation()
                .open()
                .a(Conversation.put(ProtocolVersion.V3, 2), new byte[2])
                .a(Conversation.reply(ProtocolVersion.V3, 0))
                .bytes());
        assertThat(elements("--type", "put", file)).singleElement().asString().contains("LNET PUT");
        assertThat(elements("--type", "reply,hello", file)).hasSize(3);
        assertThat(elements("--portal", "5", file)).singleElement().asString().contains("ptl=5");
        assertThat(elements("--portal", "6", file)).isEmpty();
        assertThat(err.toString()).contains("elements do not match the filter");
        assertThat(elements("--nid", "10.0.0.1@tcp", "--type", "PUT", "--type", "REPLY", file))
                .hasSize(2);
        assertThat(elements("--nid", "10.0.0.9@tcp", file)).isEmpty();
        assertThat(elements("--nid", "10.0.0.9@tcp,10.0.0.2@tcp", "--portal", "5", "--portal", "7", file))
                .hasSize(1);
        assertThat(run("--nid", "nonsense", file)).isEqualTo(2);
        assertThat(run("--type", "pit", file)).isEqualTo(2);
        assertThat(run("--portal", "-1", file)).isEqualTo(2);
        assertThat(err.toString())
                .contains("--nid 'nonsense'", "--type 'pit': expected put, get", "--portal -1: expected 0 to");
    }

    private List<String> elements(String... args) {
        out.getBuffer().setLength(0);
        assertThat(run(args)).isZero();
        return out.toString().lines().filter(line -> !line.startsWith("#")).toList();
    }

    @Test
    void capturesWithTheProgramThatIsThere() throws IOException {
        assertThat(run("--live", "eth7")).isEqualTo(2);
        assertThat(err.toString()).contains("needs tcpdump or dumpcap").contains("neither is in PATH");
        String capture = file(new Conversation().open().bytes());
        program("dumpcap", "echo \"$@\" >" + directory.resolve("words") + "; cat " + capture);
        assertThat(run("--live", "eth7", "--port", "988", "--port", "989")).isZero();
        assertThat(out.toString()).contains("HELLO v3");
        assertThat(directory.resolve("words")).hasContent("-i eth7 -s 0 -w - -q -f tcp port 988 or tcp port 989");
        program("tcpdump", "echo 'eth7: you have not the permission: Operation not permitted' >&2; exit 1");
        assertThat(run("--live", "eth7")).isEqualTo(2);
        assertThat(err.toString())
                .contains("tcpdump can not capture on eth7: eth7: you have not the permission")
                .contains("CAP_NET_RAW");
        assertThat(run("--live", "eth7", "-")).isEqualTo(2);
        assertThat(err.toString()).contains("one of them");
    }

    private void program(String name, String script) throws IOException {
        Path file = Files.writeString(directory.resolve(name), "#!/bin/sh\nPATH=/usr/bin:/bin\n" + script + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    /** Days of capture do not need memory for days: what is decoded is given back. */
    @Test
    void aStreamIsHeldNoLongerThanNeeded() throws NotACaptureException {
        byte[] head = new Conversation().open().bytes();
        byte[] packet = new byte[16 + 1000];
        packet[8] = packet[12] = (byte) (1000 & 0xff);
        packet[9] = packet[13] = (byte) (1000 >> 8);
        int[] left = {1_000_000};
        CaptureBytes bytes = CaptureBytes.of(() -> left[0]-- == 1_000_000 ? head : left[0] > 0 ? packet : null);
        CaptureProblems problems = new CaptureProblems(each -> {});
        CaptureDecoder.Totals totals = CaptureDecoder.decode(bytes, Set.of(988), problems, new CaptureDecoder.Output() {
            @Override
            public void started(long time) {}

            @Override
            public void opened(TcpConnection connection) {}

            @Override
            public void element(Element element) {}
        });
        assertThat(totals.packets()).isGreaterThan(900_000);
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
