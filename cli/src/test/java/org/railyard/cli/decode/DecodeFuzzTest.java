package org.railyard.cli.decode;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.railyard.cli.decode.capture.CaptureBuilder;
import org.railyard.cli.decode.capture.NotACaptureException;
import org.railyard.cli.decode.capture.Problems;

/** Whatever stands in a file or a stream, the decoder comes to its end, complains within limits, and can print what it found. */
class DecodeFuzzTest {
    @FuzzTest
    void anything(byte[] file) {
        decode(file);
    }

    @FuzzTest
    void pcap(byte[] records) {
        decode(CaptureBuilder.pcap(ByteOrder.LITTLE_ENDIAN, false, 1)
                .raw(records)
                .bytes());
    }

    @FuzzTest
    void pcapng(byte[] blocks) {
        decode(CaptureBuilder.pcapng(ByteOrder.BIG_ENDIAN)
                .section()
                .describe(1, 0)
                .raw(blocks)
                .bytes());
    }

    /** The first byte says how the rest is cut into segments. */
    @FuzzTest
    void stream(byte[] bytes) {
        if (bytes.length == 0) {
            return;
        }
        Conversation conversation = new Conversation();
        if (bytes[0] >= 0) {
            conversation.syn();
        }
        int step = 1 + (bytes[0] & 0x7f);
        for (int at = 1; at < bytes.length; at += step) {
            conversation.a(Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + step)));
        }
        decode(conversation.bytes());
    }

    private static void decode(byte[] file) {
        List<String> complaints = new ArrayList<>();
        try {
            Problems problems = new Problems(complaints::add);
            CaptureDecoder.Result result = CaptureDecoder.decode(MemorySegment.ofArray(file), Set.of(988), problems);
            StringWriter out = new StringWriter();
            TextReport.print(result, new PrintWriter(out));
            YamlReport.print(result, problems.count(), new PrintWriter(out));
            assertThat(complaints).hasSizeLessThanOrEqualTo(Problems.MAX_SHOWN).allMatch(line -> line.length() < 300);
        } catch (NotACaptureException e) {
            assertThat(e).hasMessageContaining("expected");
        }
    }
}
