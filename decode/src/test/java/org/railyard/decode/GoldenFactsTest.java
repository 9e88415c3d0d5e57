package org.railyard.decode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.railyard.decode.capture.CaptureProblems;
import org.railyard.decode.capture.NotACaptureException;

/** What is printed says the same as the independent decoder: times, connections, directions, elements, fields. */
class GoldenFactsTest {
    /** The one capture with traffic that is broken on purpose; the two decoders give up at different places there. */
    private static final String PROBES = "g_acceptor_probe";

    /**
     * Lines of the other decoder about what is no protocol element, or what it takes for one although no node would.
     */
    private static final Pattern BROKEN = Pattern.compile(
            "raw |\\?\\? |nid=\\?|HELLO v0 |HELLO v1 src=[^ ]* dst=|nips=17|0\\.0\\.2\\.0@t025354|LNET 9 |LNET"
                    + " \\(header|calc 0x|nnis=3 \\[\\(truncated");

    /** Our lines in the same places. */
    private static final Pattern OURS = Pattern.compile(
            "undecodable|ACCEPTOR_REFUSAL|big-endian|dst=00000200@<0:25354>|csum=0x11223344\\(expected 0xffffffff\\)");

    static List<String> decode(String name) throws NotACaptureException {
        List<String> complaints = new ArrayList<>();
        CaptureDecoder.Result result = CaptureDecoder.decode(
                GoldenCaptures.segment(name), Set.of(988), ElementFilter.all(), new CaptureProblems(complaints::add));
        assertThat(complaints).isEmpty();
        StringWriter out = new StringWriter();
        TextReport.print(result, new PrintWriter(out, true));
        return out.toString().lines().toList();
    }

    static Stream<String> wellBehaved() {
        return GoldenCaptures.NAMES.stream().filter(name -> !name.equals(PROBES));
    }

    @ParameterizedTest
    @MethodSource("wellBehaved")
    void saysTheSame(String name) throws NotACaptureException {
        assertThat(facts(decode(name))).isEqualTo(facts(GoldenCaptures.expected(name)));
    }

    @Test
    void saysTheSameOfProbesExceptWhereTheyAreBroken() throws NotACaptureException {
        List<String> ours = facts(decode(PROBES));
        List<String> theirs = facts(GoldenCaptures.expected(PROBES));
        assertThat(ours.stream().filter(line -> !OURS.matcher(line).find()).toList())
                .containsExactlyElementsOf(theirs.stream()
                        .filter(line -> !BROKEN.matcher(line).find())
                        .toList());
        // Every broken place is shown: what the other decoder left out are HELLOs it could not read.
        List<String> places = places(ours);
        assertThat(places(theirs)).isSubsetOf(places);
    }

    /** Returns time, connection and direction of each line. */
    private static List<String> places(List<String> facts) {
        return facts.stream()
                .filter(line -> !line.startsWith("#") && !line.startsWith("PINGINFO"))
                .map(line -> line.replaceFirst("([<>]) .*", "$1"))
                .distinct()
                .toList();
    }

    /**
     * Brings both decoders' words into one form. What is left out: selftest requests, and the first bytes of payloads.
     */
    private static List<String> facts(List<String> lines) {
        return lines.stream().map(GoldenFactsTest::fact).toList();
    }

    private static String fact(String line) {
        if (line.startsWith("#   c")) {
            return line.replaceAll("[\\[\\]]", "");
        }
        return line.strip()
                .replaceFirst(" data=.*", "")
                .replace(" KEEPALIVE_PING", " KEEPALIVE")
                .replaceFirst("(NOOP zc=\\(0,\\d+\\)) ACK \\d+", "$1")
                .replaceFirst("(NOOP .* csum=0x\\w+)\\(ok\\)", "$1")
                .replace("(None)", "(NONE)")
                .replace("(?)", "(NONE)")
                .replace("src=<?>/", "src=ANY/")
                .replaceFirst("HELLO v1 \\(lnet header, TCP magic 1.0\\)", "HELLO v1")
                .replaceFirst(" type=4\\(HELLO\\) payload=0 incarnation=", " src_inc=")
                .replace(" ips=[]", " nips=0")
                .replaceFirst(" \\(payload truncated 0/\\d+\\)", " (captured 0)");
    }
}
