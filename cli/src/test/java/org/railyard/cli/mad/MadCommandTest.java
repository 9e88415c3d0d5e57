package org.railyard.cli.mad;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.railyard.cli.text.LimitedInput;
import org.railyard.testkit.NeedsFile;
import picocli.CommandLine;

final class MadCommandTest {
    private static final String GET = "0181010100000000000000000000123900110000000000000000000000000000ffffffff";

    @TempDir
    private Path directory = Path.of("");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(Object command, String... arguments) {
        return new CommandLine(command)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }

    private int decode(String input, String... arguments) {
        byte[] bytes = input.getBytes(StandardCharsets.ISO_8859_1);
        return run(new MadDecodeCommand(new ByteArrayInputStream(bytes)), arguments);
    }

    @Test
    void aLineForEachMad() {
        assertThat(decode("# capture\n\n 1 2.5 TX tmo=200 |  | " + GET + "\n", "--line", "-"))
                .isZero();
        assertThat(out).hasToString("SMP-D Get NodeInfo route 0 tid 0x00001239\n");
        assertThat(err.toString()).isEmpty();
    }

    /** It has a single line without end. */
    @Test
    @NeedsFile("/dev/full")
    void aDeviceThatDoesNotEnd() {
        assertThat(run(new MadDecodeCommand(), "/dev/full")).isEqualTo(2);
        assertThat(err.toString())
                .isEqualTo("railyard: /dev/full: cannot be read: line 1 has more than " + MadDecodeCommand.MAX_SKIPPED
                        + " characters; expected lines with a MAD in hexadecimal, of at most 1048576\n");
    }

    @Test
    void inputOfWhichThereIsTooMuch() throws IOException {
        try (InputStream in = new LimitedInput(new ByteArrayInputStream(new byte[10]), 9)) {
            assertThat(in.readNBytes(9)).hasSize(9);
            assertThatThrownBy(in::read).isInstanceOf(IOException.class).hasMessage("more than 9 bytes");
        }
    }

    @Test
    void aDocumentForEachMad() {
        // GetResp of PortCounters.
        String counters = "01040181000000000000000000001234001200000000000" + "0".repeat(81) + "0003ffff0102";
        assertThat(decode(GET + "\n" + counters + "\n", "--json", "-")).isZero();
        assertThat(out.toString().lines()).hasSize(2);
        assertThat(out.toString())
                .startsWith(
                        "{\"summary\":\"SMP-D Get NodeInfo route 0 tid 0x00001239\",\"class\":129,\"attribute_id\":17,"
                                + "\"modifier\":0,\"status\":0,\"parts\":[]}\n")
                .contains("\"PortSelect\":3,\"CounterSelect\":\"0xffff\",\"SymbolErrorCounter\":258,");
        assertThat(decode(GET, "--json", "--line", "-")).isEqualTo(2);
    }

    @Test
    void aPageForEachMadOutOfACompressedFile() throws IOException {
        Path file = directory.resolve("mads.gz");
        try (OutputStream to = new GZIPOutputStream(Files.newOutputStream(file))) {
            to.write(GET.getBytes(StandardCharsets.US_ASCII));
        }
        assertThat(run(new MadDecodeCommand(), file.toString())).isZero();
        assertThat(out.toString()).startsWith("SMP-D Get NodeInfo route 0").contains("HopCount......................");
    }

    @Test
    void wrongLinesAreNamedAndTheRestIsShown() {
        assertThat(decode("0181zz\nsome text\n" + GET + "\n", "--line", "-")).isEqualTo(1);
        assertThat(out.toString()).startsWith("SMP-D Get NodeInfo");
        assertThat(err.toString())
                .contains("standard input:1: column 5: no hexadecimal digit")
                .contains("1 line without a MAD ignored");
    }

    @Test
    void anInputWithoutMadsIsRefused() {
        assertThat(decode("hello world\n", "-")).isEqualTo(2);
        assertThat(err.toString()).contains("no MAD found");
    }

    @Test
    void aLineThatIsTooLongIsRefusedAndTheNextOneRead() {
        assertThat(decode("0".repeat(3_000_000) + "\n" + GET + "\n", "--line", "-"))
                .isEqualTo(1);
        assertThat(err.toString()).contains("standard input:1: a line of");
        assertThat(out.toString()).contains("NodeInfo");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "NodeInf|no attribute NodeInf: one of Notice",
                "NodeInfo --path 1,2|begins with 0",
                "NodeInfo --path 0,x|numbers with commas",
                "NodeInfo --path 0,300|port 300 is not 1 to 254",
                "NodeInfo --path 0 --lid 1|exclude each other",
                "NodeInfo --lid 50000|LID 50000 is not 1 to 49151",
                "NodeInfo --modifier 0xg|a number of 32 bits expected",
            })
    void whatGetDoesNotUnderstandIsToldBeforeAnythingNativeIsTouched(String line, String message) {
        assertThat(run(new MadGetCommand(), line.split(" "))).isEqualTo(2);
        assertThat(err.toString()).contains(message);
    }
}
