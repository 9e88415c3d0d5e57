package org.railyard.decode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.railyard.decode.capture.CaptureProblems;
import org.railyard.decode.capture.NotACaptureException;

/** What the fuzz tests ask of the decoder. */
final class AnyCapture {
    private AnyCapture() {}

    /**
     * Whatever stands in a file, the decoder comes to its end, complains within limits, and can print what it found.
     */
    static void check(byte[] file) {
        List<String> complaints = new ArrayList<>();
        try {
            CaptureProblems problems = new CaptureProblems(complaints::add);
            CaptureDecoder.Result result =
                    CaptureDecoder.decode(MemorySegment.ofArray(file), Set.of(988), ElementFilter.all(), problems);
            StringWriter out = new StringWriter();
            TextReport.print(result, new PrintWriter(out));
            YamlReport.print(result, problems.count(), new PrintWriter(out));
            assertThat(complaints)
                    .hasSizeLessThanOrEqualTo(CaptureProblems.MAX_SHOWN)
                    .allMatch(line -> line.length() < 300);
        } catch (NotACaptureException e) {
            assertThat(e).hasMessageContaining("expected");
        }
    }
}
